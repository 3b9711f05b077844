import type * as z from 'zod/mini';

export type Environment = Readonly<Record<string, string | undefined>>;

/** An environment variable. Its check, its value and its documentation are derived from this. */
export interface Setting<Value = unknown> {
  /** Checks and converts the trimmed text. Its message follows the name: 'must be …'. */
  readonly schema: z.ZodMiniType<Value>;
  readonly help: string;
  readonly fallback?: string;
  /** Markdown, if `fallback` is not clear enough. */
  readonly defaultHelp?: string;
  /** It can be in a file, and error messages do not repeat its value. */
  readonly isSecret?: boolean;
  /**
   * 'S3_BUCKET' is used where one of its settings is set, 'SMS_GATEWAY=msg91' where it is chosen.
   */
  readonly service?: readonly string[];
}

export type SettingTable = Readonly<Record<string, Setting>>;

type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Lowercase<Head>}${Capitalize<CamelCase<Tail>>}`
  : Lowercase<Name>;

/** What is not set has its fallback, '' in a service, else null. */
type ValueOf<Entry extends Setting> =
  | z.output<Entry['schema']>
  | (Entry extends { readonly fallback: string }
      ? never
      : Entry extends { readonly service: unknown }
        ? ''
        : null);

/** PUBLIC_URL is `publicUrl`. */
export type SettingValues<Table extends SettingTable> = {
  readonly [Name in keyof Table & string as CamelCase<Name>]: ValueOf<Table[Name]>;
};
