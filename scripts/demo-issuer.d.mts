import type { Configuration, KoaContextWithOIDC } from 'oidc-provider';

interface Person {
  sub: string;
  name: string;
  [claim: string]: unknown;
}

interface Options extends Configuration {
  readonly people: Person[];
  readonly redirectUris: string[];
  readonly port?: number;
  readonly use?: (context: KoaContextWithOIDC, next: () => Promise<void>) => Promise<void>;
  readonly keys?: object[];
}

export function startIssuer(options: Options): Promise<{
  readonly issuer: string;
  readonly environment: Record<string, string>;
  readonly close: () => Promise<void>;
}>;
