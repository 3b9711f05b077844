import type * as z from 'zod/mini';

export type Environment = Readonly<Record<string, string | undefined>>;

/** An environment variable. Readers and documentation are derived from it. */
export interface Setting<Value = unknown> {
  /** Checks and converts the trimmed text. Its message follows the name: 'must be …'. */
  readonly schema: z.ZodMiniType<Value>;
  /** Markdown on one line. */
  readonly help: string;
  /** Without it the value of a variable that is not set is null. */
  readonly fallback?: string | ((environment: Environment) => string);
  /** Markdown, if `fallback` is not clear enough. */
  readonly defaultHelp?: string;
  /** Error messages do not repeat the value. */
  readonly isSecret?: boolean;
}

export type SettingTable = Readonly<Record<string, Setting>>;

export type SettingValues<Table extends SettingTable> = {
  readonly [Name in keyof Table]:
    | z.output<Table[Name]['schema']>
    | (Table[Name] extends { readonly fallback: unknown } ? never : null);
};

/** A setting of an outside service. It is required if it has no fallback. */
export interface ServiceSetting extends Setting<string> {
  /** A value that passes the schema, for tests and documentation. */
  readonly example: string;
}

export type ServiceSettingTable<Name extends string = string> = Readonly<
  Record<Name, ServiceSetting>
>;

export type ServiceValues<Table extends ServiceSettingTable = ServiceSettingTable> = Readonly<
  Record<keyof Table, string>
>;
