// Owns copies with changes where one is made for every request or event. `{ ...whole, member }` reads better, and is right everywhere
// else: V8 gives each such copy a shape of its own, which takes ten times as long and makes the copy several times as large.

/** A new object with the members of `whole` and these; later ones replace earlier ones. */
export function changed<T extends object, C extends object>(whole: T, changes: C): T & C {
  return Object.assign({}, whole, changes);
}

/** What is given its optional members one by one while it is made, for the same reason. */
export type Writable<T> = { -readonly [K in keyof T]: T[K] };
