// Stands for an agent behind AWS Bedrock AgentCore: a path that holds an encoded ARN and must not be normalised, a qualifier in the
// card's query, OAuth, a session header that every request needs, and results with nothing but artifacts.

import { type PeerRequest, sendError, sendJson, sendResult } from "../http-peer.ts";
import { type Double, isV03, messageIn, startDouble, wishIn } from "./double.ts";

const ARN = "arn%3Aaws%3Abedrock-agentcore%3Aus-west-2%3A123456789012%3Aruntime%2Fwords-x1";
const PATH = `/runtimes/${ARN}/invocations/`;
export const AGENTCORE_TOKEN = "oauth-for-tests";
export const AGENTCORE_SESSION = {
  name: "X-Amzn-Bedrock-AgentCore-Runtime-Session-Id",
  value: "session-0123456789-0123456789-0123456789",
} as const;

export async function startAgentCoreServer(): Promise<Double> {
  return await startDouble(
    `${PATH}?qualifier=DEFAULT`,
    (origin) => (path, request) => {
      if (!isAdmitted(request)) return 401;
      return path === `${PATH}.well-known/agent-card.json?qualifier=DEFAULT` ? card(`${origin}${PATH}`) : undefined;
    },
    (request, response) => {
      if (!isAdmitted(request)) {
        response.setHeader("WWW-Authenticate", 'Bearer resource_metadata="https://example.com/meta"');
        return sendJson(response, { message: "Missing Authentication Token" }, 401);
      }
      if (request.path !== PATH) return sendError(request, response, -32501, "Resource not found", 404);
      const sent = messageIn(request, true);
      if (request.rpc.method !== "message/send") return sendError(request, response, -32601, "Method not found");
      if (!isV03(sent)) return sendError(request, response, -32602, "Invalid params");
      if (wishIn(sent.text) === "fail") return sendError(request, response, -32603, "Runtime client error", 424);
      sendResult(request, response, {
        artifacts: [{ artifactId: "r", name: "agent_response", parts: [{ kind: "text", text: `Core: ${sent.text}` }] }],
      });
    },
  );
}

function isAdmitted({ headers }: PeerRequest): boolean {
  const session = headers[AGENTCORE_SESSION.name.toLowerCase()];
  return headers.authorization === `Bearer ${AGENTCORE_TOKEN}` && session === AGENTCORE_SESSION.value;
}

function card(url: string): object {
  return {
    name: "Words",
    description: "Says words",
    url,
    version: "1.0.0",
    protocolVersion: "0.3.0",
    preferredTransport: "JSONRPC",
    capabilities: { streaming: false },
    defaultInputModes: ["text"],
    defaultOutputModes: ["text"],
    skills: [],
  };
}
