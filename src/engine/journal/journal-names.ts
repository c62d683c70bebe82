// Owns the names of files in the folder of journals. Whatever else lies there is left alone.
//
//   <key>.<number>.jsonl      lines, written by the server of this key only
//   <key>.owner.json          who that server is
//   <key>.by-<other>.json     it is dead, and the server of the other key has its tasks now

/** Of one server instance. */
export interface JournalName {
  readonly kind: "lines" | "owner" | "adopted";
  readonly key: string;
  readonly name: string;
  /** Of a file of lines. */
  readonly number: number;
  /** Who adopted it. */
  readonly by: string;
}

const NAME = /^([a-z0-9-]{1,64})\.(?:(\d{1,9})\.jsonl|owner\.json|by-([a-z0-9-]{1,64})\.json)$/;

export function parseName(name: string): JournalName | undefined {
  const found = NAME.exec(name);
  const [, key, number, by] = found ?? [];
  if (key === undefined) return undefined;
  const kind = number !== undefined ? "lines" : by !== undefined ? "adopted" : "owner";
  return { kind, key, name, number: Number(number ?? 0), by: by ?? "" };
}

/** Who has the files of `key`: at the end of the chain of those who took over from each other, or the first of them that `isEnd`. */
export function holderOf(names: readonly JournalName[], key: string, isEnd = (_key: string): boolean => false): string {
  let holder = key;
  // As many steps as there are names at most: a ring must not hold us.
  for (const _step of names) {
    const next = names.find((name) => name.kind === "adopted" && name.key === holder);
    if (isEnd(holder) || next === undefined) break;
    holder = next.by;
  }
  return holder;
}

/** Keys begin with the number of the process; undefined for one that does not. */
export function pidOf(key: string): number | undefined {
  const [, pid] = /^(\d{1,10})-/.exec(key) ?? [];
  return pid === undefined ? undefined : Number(pid);
}

export function linesName(key: string, number: number): string {
  return `${key}.${number}.jsonl`;
}

export function ownerName(key: string): string {
  return `${key}.owner.json`;
}

export function adoptedName(key: string, by: string): string {
  return `${key}.by-${by}.json`;
}
