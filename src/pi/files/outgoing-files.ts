// Owns the files that a call takes along: paths in the workspace become raw parts, within one limit for all of them.

import { A2aError } from "../../core/platform/errors.ts";
import type { FilesPort } from "../../core/platform/files.ts";
import { base64Bytes } from "../../core/protocol/base64.ts";
import type { RawPart } from "../../core/protocol/types.ts";
import { readWorkspaceFile, sizeText } from "./workspace-file.ts";

const MAX_FILES = 20;
const MAX_BYTES = 10 * 1024 * 1024;

/** Throws INVALID_PARAMS with the path that cannot be sent, and why. */
export async function readOutgoingFiles(files: FilesPort, cwd: string, paths: readonly string[]): Promise<RawPart[]> {
  if (paths.length > MAX_FILES) {
    throw new A2aError("INVALID_PARAMS", `${paths.length} files are more than the ${MAX_FILES} that a call takes`, {
      hint: "Send them in several calls, or as one archive.",
    });
  }
  const parts: RawPart[] = [];
  let leftBytes = MAX_BYTES;
  for (const path of paths) {
    const part = await readWorkspaceFile(files, cwd, path, {
      leftBytes,
      text: `${sizeText(MAX_BYTES)} for all files of a call${usedText(MAX_BYTES - leftBytes)}`,
    });
    leftBytes -= base64Bytes(part.raw);
    parts.push(part);
  }
  return parts;
}

function usedText(bytes: number): string {
  return bytes === 0 ? "" : `, of which ${sizeText(bytes)} are used`;
}
