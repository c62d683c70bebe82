// What one row of the settings table may say. Types only; the rows are in ./schema-rows.ts.

export type Unit = "ms" | "s" | "days" | "per minute";

/**
 * `text`: one line; `folder`: an absolute path; `name`: a peer's or gateway's name; `service`: a DNS service label; `variable`: the
 * name of an environment variable; `token`, `header`, `header-name`: what HTTP can carry as a token, a header and its name;
 * `host`: an address or name to listen on; `caller`: a principal's name; `network`: an address, or a range of them.
 */
export type StringFormat =
  | "text"
  | "url"
  | "folder"
  | "name"
  | "service"
  | "variable"
  | "token"
  | "header"
  | "header-name"
  | "host"
  | "caller"
  | "network";

interface RowBase {
  /** The environment variable that sets it. */
  readonly env?: string;
  /** True when a repository's own settings file may set it; everything else is the operator's alone. */
  readonly repository: boolean;
  /** True when its value must never be shown. */
  readonly secret: boolean;
  /** What happens instead when a row without a default is not set. */
  readonly unset?: string;
}

export interface BooleanRow extends RowBase {
  readonly type: "boolean";
  readonly default: boolean | undefined;
}

export interface NumberRow extends RowBase {
  readonly type: "integer" | "number";
  readonly default: number | undefined;
  readonly min: number;
  readonly max: number;
  readonly unit?: Unit;
}

export interface StringRow extends RowBase {
  readonly type: "string";
  readonly default: string | undefined;
  readonly format: StringFormat;
}

export interface EnumRow extends RowBase {
  readonly type: "enum";
  readonly default: string | undefined;
  readonly values: readonly string[];
}

export interface StringListRow extends RowBase {
  readonly type: "strings";
  /** Of each item. */
  readonly items: StringFormat;
  readonly default: readonly string[];
}

/** Names the user chooses, each with a string. */
export interface MapRow extends RowBase {
  readonly type: "map";
  readonly names: StringFormat;
  readonly values: StringFormat;
  readonly default: Readonly<Record<string, string>>;
}

/** Structures that their reader checks: an object, or a list of objects. */
export interface StructureRow extends RowBase {
  readonly type: "object" | "objects";
  readonly default: undefined;
}

export type SettingRow = BooleanRow | NumberRow | StringRow | EnumRow | StringListRow | MapRow | StructureRow;

/** Any checked value of a setting; structures stay unknown. */
export type SettingValue =
  | boolean
  | number
  | string
  | readonly string[]
  | Readonly<Record<string, unknown>>
  | readonly Readonly<Record<string, unknown>>[];
