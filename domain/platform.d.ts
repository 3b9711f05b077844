// Platform classes that the ECMAScript library does not declare, for this layer only.

declare class URL {
  constructor(url: string, base?: string);
  readonly protocol: string;
  readonly username: string;
  readonly password: string;
  readonly hostname: string;
  readonly pathname: string;
  readonly href: string;
}
