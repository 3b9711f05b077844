import type * as z from 'zod/mini';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The description of an environment variable. Readers and documentation are derived from it. */
export interface Setting<Value = unknown> {
  /** Checks and converts the trimmed text. Its message follows the name: 'must be …'. */
  readonly schema: z.ZodMiniType<Value>;
  /** The effect of the variable, in Markdown on one line. */
  readonly help: string;
  /** The text that is read instead of a variable that is not set. Without it the value is null. */
  readonly fallback?: string | ((environment: Environment) => string);
  /** Describes the default in Markdown if `fallback` is not clear enough. */
  readonly defaultHelp?: string;
  /** True for a value that may contain a secret. Error messages do not repeat it. */
  readonly isSecret?: boolean;
}

/** Settings by the names of their variables. */
export type SettingTable = Readonly<Record<string, Setting>>;

/** The values of a table: null for a variable that is not set and has no fallback. */
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
