// What one requirement is, and how the rows of ./rows/ are written.

/** MUST and SHOULD are the specification's; `ruled` is a decision of this package where the specification leaves one. */
export type Level = "MUST" | "SHOULD" | "ruled";

export interface Requirement {
  /** Cited in the titles of tests as `[id]`. */
  readonly id: string;
  /** Section of the A2A 1.0 specification, or `own`. */
  readonly section: string;
  readonly level: Level;
  /** What can be seen from outside, in one line. */
  readonly behaviour: string;
  /** Why it does not hold. Such a row has no test; as soon as it has one, the reason must go. */
  readonly knownFailure?: string;
}

type Row = Omit<Requirement, "id">;
export type Rows = Readonly<Record<string, Row>>;

export function must(section: string, behaviour: string): Row {
  return { section, level: "MUST", behaviour };
}

export function should(section: string, behaviour: string): Row {
  return { section, level: "SHOULD", behaviour };
}

export function ruled(section: string, behaviour: string): Row {
  return { section, level: "ruled", behaviour };
}

/** The same row, with the reason why it does not hold. */
export function unmet(knownFailure: string, row: Row): Row {
  return { ...row, knownFailure };
}
