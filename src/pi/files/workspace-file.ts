// Owns reading a file that a model wants to send: only what really lies in the folder it works in, links resolved, and never
// more than a cap. A model that was talked into it must not send the rest of the disk.

import { basename, isAbsolute, relative, resolve, sep } from "node:path";
import { A2aError } from "../../core/platform/errors.ts";
import type { FilesPort } from "../../core/platform/files.ts";
import { mediaTypeOf } from "../../core/protocol/media-type.ts";
import type { RawPart } from "../../core/protocol/types.ts";
import { oneLine } from "../../core/security/sanitize.ts";

const MIB = 1024 * 1024;

export type WorkspaceFile = RawPart & { readonly filename: string; readonly mediaType: string };

export interface SizeCap {
  /** Bytes that are left. */
  readonly leftBytes: number;
  /** What the cap is, for the error: `5 MiB for one file`. */
  readonly text: string;
}

/** The file as a raw part named `name`, or as the file itself. Throws INVALID_PARAMS: no such file, outside, too large. */
export async function readWorkspaceFile(
  files: FilesPort,
  folder: string,
  path: string,
  cap: SizeCap,
  name?: string,
): Promise<WorkspaceFile> {
  const shown = `"${oneLine(path, 200)}"`;
  const real = path.trim() === "" ? undefined : await files.realPath(resolve(folder, path));
  if (real === undefined) throw refused(`there is no file ${shown}`, `Give a path relative to ${folder}.`);
  const root = (await files.realPath(folder)) ?? folder;
  if (!isInside(root, real)) {
    throw refused(`${shown} lies outside of the workspace ${folder}`, "Only files in the workspace can be sent.");
  }
  const info = await files.stat(real);
  if (info?.kind !== "file") throw refused(`${shown} is not a regular file`, "Name single files, not folders.");
  if (info.size > cap.leftBytes) {
    throw refused(
      `${shown} has ${sizeText(info.size)}, which is over the limit of ${cap.text}`,
      "Send a smaller file.",
    );
  }
  const bytes = await files.readBytes(real, { maxBytes: cap.leftBytes });
  if (bytes === undefined) throw refused(`there is no file ${shown}`, `Give a path relative to ${folder}.`);
  const filename = plainName(name ?? "") || plainName(basename(resolve(folder, path))) || "file";
  return { raw: Buffer.from(bytes).toString("base64"), filename, mediaType: mediaTypeOf(filename) };
}

/** `1.5 MiB`, `12 KiB`, `340 bytes`; rounded up, so that what is over a limit never reads like the limit. */
export function sizeText(bytes: number): string {
  if (bytes < 1024) return bytes === 1 ? "1 byte" : `${bytes} bytes`;
  if (bytes < MIB) return `${Math.ceil(bytes / 1024)} KiB`;
  return `${(Math.ceil((bytes / MIB) * 10) / 10).toFixed(1)} MiB`;
}

/** One line without folders; the receiver makes it safe for its own disk. */
function plainName(name: string): string {
  return oneLine(name.split(/[/\\]/).at(-1) ?? "", 200);
}

function isInside(root: string, path: string): boolean {
  const way = relative(root, path);
  return way !== "" && way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

function refused(message: string, hint: string): A2aError {
  return new A2aError("INVALID_PARAMS", message, { hint });
}
