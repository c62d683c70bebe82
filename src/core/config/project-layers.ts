// Owns the blocks for single folders in the global settings file: `a2a.projects["/abs/folder"]` is laid over `a2a` for the
// sessions in that folder and below it; of two folders that hold a session the inner one wins.

import { isAbsolute, relative, sep } from "node:path";
import type { FilesPort } from "../platform/files.ts";
import { isObject } from "../platform/json.ts";
import { describeKey } from "./describe-value.ts";
import { type FileBlock, layerFromFile } from "./file-layer.ts";
import { createLayer, type Layer } from "./layer.ts";

/** The layers that hold for a session in `cwd`, the outermost folder first. Faults in blocks for other folders are not told. */
export async function projectLayers(files: FilesPort, global: FileBlock, cwd: string): Promise<readonly Layer[]> {
  const projects = isObject(global.value) && isObject(global.value.projects) ? global.value.projects : {};
  const here = (await realPath(files, cwd)) ?? cwd;
  const found: { readonly folder: string; readonly layer: Layer }[] = [];
  for (const [key, value] of Object.entries(projects)) {
    // JSON has no comments: people write them as members that begin like one.
    if (key.startsWith("//")) continue;
    const path = `${global.path}.projects.${describeKey(key)}`;
    const folder = isAbsolute(key) ? await realPath(files, key) : undefined;
    if (!isAbsolute(key)) found.push({ folder: "", layer: noFolder(global.source, path) });
    else if (folder !== undefined && holds(folder, here)) {
      found.push({ folder, layer: layerFromFile({ kind: "project", source: global.source, path, value }) });
    }
  }
  return found.sort((a, b) => a.folder.length - b.folder.length).map(({ layer }) => layer);
}

/** A folder that cannot be looked at holds no session of this user. */
function realPath(files: FilesPort, path: string): Promise<string | undefined> {
  return files.realPath(path).catch(() => undefined);
}

function noFolder(source: string, place: string): Layer {
  const fault = { source, place, problem: "is not an absolute folder and is ignored" };
  return createLayer({ kind: "project", source }, [{ fault }]);
}

function holds(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
