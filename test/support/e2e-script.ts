// Builds requests for the scripted model (scripts/scripted-model/index.ts).

/** The line that makes a tool call. */
export function call(tool: string, args: Readonly<Record<string, unknown>>): string {
  return `call ${tool} ${JSON.stringify(args)}`;
}

/**
 * The line that runs a shell which writes its process id to a file and then waits until the file `go` appears in its folder; it gives
 * up by itself after half a minute, so that a failed test leaves nothing behind.
 */
export function hold(pidFile: string, go = "go"): string {
  const command = `echo $$ > ${pidFile}; i=0; while [ ! -e ${go} ] && [ $i -lt 600 ]; do i=$((i+1)); sleep 0.05; done; echo held`;
  return call("bash", { command });
}
