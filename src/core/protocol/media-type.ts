// Owns the media types of files by their extension, both ways; for naming only, nothing is decided by them.

const TYPES: Readonly<Record<string, string>> = {
  bmp: "image/bmp",
  css: "text/css",
  csv: "text/csv",
  docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  gif: "image/gif",
  gz: "application/gzip",
  html: "text/html",
  jpg: "image/jpeg",
  js: "text/javascript",
  json: "application/json",
  log: "text/plain",
  md: "text/markdown",
  mp3: "audio/mpeg",
  mp4: "video/mp4",
  odt: "application/vnd.oasis.opendocument.text",
  pdf: "application/pdf",
  png: "image/png",
  pptx: "application/vnd.openxmlformats-officedocument.presentationml.presentation",
  svg: "image/svg+xml",
  tar: "application/x-tar",
  tsv: "text/tab-separated-values",
  txt: "text/plain",
  wasm: "application/wasm",
  wav: "audio/wav",
  webm: "video/webm",
  webp: "image/webp",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  xml: "application/xml",
  yaml: "application/yaml",
  zip: "application/zip",
};

const ALSO: Readonly<Record<string, string>> = {
  htm: "html",
  jpeg: "jpg",
  markdown: "md",
  mjs: "js",
  tgz: "gz",
  yml: "yaml",
};

/** Source code and the like: text, whatever it is called. */
const TEXT = new Set(
  "c cc cfg conf cpp cs diff env go h hpp ini java jsx kt lock lua mts patch php pl py rb rs sh sql swift toml ts tsx".split(
    " ",
  ),
);

export const BINARY = "application/octet-stream";

/** By the last extension of the name; `application/octet-stream` for what is not known. */
export function mediaTypeOf(filename: string): string {
  const extension = /\.([^.]+)$/.exec(filename)?.[1]?.toLowerCase() ?? "";
  const known = Object.hasOwn(ALSO, extension) ? (ALSO[extension] ?? "") : extension;
  if (Object.hasOwn(TYPES, known)) return TYPES[known] ?? BINARY;
  return TEXT.has(known) ? "text/plain" : BINARY;
}

/** `.pdf` for `application/pdf`, parameters ignored; "" for what is not known. */
export function extensionFor(mediaType: string | undefined): string {
  const wanted = mediaType?.split(";")[0]?.trim().toLowerCase();
  if (wanted === "text/plain") return ".txt";
  const found = Object.entries(TYPES).find(([, type]) => type === wanted)?.[0];
  return found === undefined ? "" : `.${found}`;
}
