// Where everything that the Python peers need is kept between runs.

import { join } from "node:path";
import { REPOSITORY } from "../next-host/run-here.ts";

export const CACHE = join(REPOSITORY, ".cache", "interop-python");
