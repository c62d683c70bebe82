// Printed at the end of `npm run test:interop`.

import { interopRows, interopTable } from "./interop-table.ts";

export function mochaGlobalTeardown(): void {
  process.stdout.write(`${interopTable(interopRows())}\n`);
}
