// What people are told of each setting: a short label for the panel and one or two sentences for panel and documentation.

import type { SettingKey } from "./schema-rows.ts";

export interface SettingText {
  readonly label: string;
  readonly description: string;
}

const GATEWAY = {
  enabled: says("Enabled", "Register with this gateway. Unset: on as soon as url and token are there."),
  url: says("URL", "Base URL of the gateway."),
  token: says("Token", "Token this session presents to the gateway."),
  name: says("Name", "Name to register under. Blank: the agent's name and the port."),
  upstreamToken: says("Upstream token", "Token the gateway presents when it passes calls on to this session."),
  heartbeatSec: says("Heartbeat", "Seconds between two registrations."),
  channel: says(
    "Reverse channel",
    "Take calls through a connection this session opens, so that it may sit behind a firewall.",
  ),
};

export const TEXTS: Readonly<Record<SettingKey, SettingText>> = {
  "peers.*.url": says("URL", "Address of the peer: its base URL, or the URL of its agent card."),
  "peers.*.timeout": says("Timeout", "Seconds for one whole call to this peer. Unset: timeouts.send."),
  "peers.*.capabilities": says("Capabilities", "Words that a2a_orchestrate selects peers by."),
  "peers.*.auth.type": says(
    "Login type",
    "How the peer's credential is sent: as a bearer token, as user:password (basic), or in a header of its own (apiKey).",
  ),
  "peers.*.auth.token": says("Token", "The peer's credential; user:password when the login type is basic."),
  "peers.*.auth.tokenEnv": says(
    "Token variable",
    "Environment variable that holds the peer's credential. While it is not set, the peer is not called.",
  ),
  "peers.*.auth.tokenCommand": says(
    "Token command",
    "Command whose first line of output is the peer's credential. It runs in Pi's agent folder, and again when the peer refuses what it gave.",
  ),
  "peers.*.auth.header": says("Header", "Header that carries the credential when the login type is apiKey."),
  "peers.*.auth.origins": says(
    "Further origins",
    "Other addresses that the peer's card may name and that get credential and headers too.",
  ),
  "peers.*.auth.allowHttp": says(
    "Allow plain http",
    "Send credential and headers over plain http to a public address too, where others can read them.",
  ),
  "peers.*.headers": says("Headers", "Further headers sent to this peer, to the same places as its credential."),

  selfIdentity: says(
    "Own identity",
    "Name that this session tells peers, and key in server.peerTokens whose token it presents to sessions on this machine.",
  ),

  "server.enabled": says("Enabled", "Start the inbound server with the session."),
  "server.port": says("Port", "Port of the inbound server; 0 takes a free one from the system."),
  "server.portFallback": says(
    "Port fallback",
    "Further ports to try when the port is taken, before one from the system.",
  ),
  "server.host": says("Host", "Address to listen on. Anything but loopback needs a token."),
  "server.workspace": says("Workspace", "Absolute folder inbound tasks work in. Blank: the session's folder."),
  "server.agentName": says("Agent name", "Name on the agent card. Blank: the machine's host name."),
  "server.publicUrl": says("Public URL", "Address on the agent card when callers reach the server through a proxy."),
  "server.sharedToken": says("Shared token", "Token that any caller may present; those who do count as one."),
  "server.peerTokens": says("Peer tokens", "A token of its own for each named caller."),
  "server.trustedPeers": says(
    "Trusted peers",
    "The callers that are admitted: their names, ip:<address> for those without one, gateway:<key>. Empty: everyone with a valid token.",
  ),
  "server.allowAllUsers": says("Allow all users", "Admit every caller with a valid token, whatever trustedPeers says."),
  "server.trustedProxies": says(
    "Trusted proxies",
    "Addresses and ranges of proxies whose forwarded headers are believed.",
  ),
  "server.callers": says("Callers", "Rights of single callers, by name."),
  "server.callerDefaults": says("Caller defaults", "Rights of callers that server.callers does not name."),
  "server.skills": says("Skills", "Skills on the agent card. Empty: those of the session."),
  "server.legacy": says("Older dialects", "Serve clients of A2A 0.3 and older sessions of this package too."),

  "server.maxConcurrent": says("Concurrent tasks", "Tasks that run at the same time, blocking and detached alike."),
  "server.maxDetached": says("Detached tasks", "How many of the concurrent tasks may be detached. Unset: all."),
  "server.replyTimeoutSec": says("Reply timeout", "Seconds for a task its caller waits for; 0 = no limit."),
  "server.asyncTimeoutSec": says("Detached timeout", "Seconds for a task its caller does not wait for; 0 = no limit."),
  "server.maxPingpongTurns": says("Turns per context", "Messages of one caller that start work in one context."),
  "server.maxHops": says("Hops", "How many sessions a task may have passed through."),
  "server.rateLimitPerMin": says("Rate limit", "Requests a minute for each caller; 0 = no limit."),

  "server.childTranscripts": says("Transcripts", "Keep a session file of each inbound task."),
  "server.childTranscriptRetentionDays": says(
    "Transcript retention",
    "Days until a transcript is deleted, checked when the server starts; 0 = never.",
  ),
  "server.taskRetentionDays": says("Task retention", "Days until a finished task is forgotten; 0 = never."),
  "server.maxTasks": says("Kept tasks", "Finished tasks that are kept at most; the oldest go first."),
  "server.durability": says(
    "Durability",
    "What an acknowledged task survives: a crash of Pi (os), or of the machine (disk).",
  ),
  "server.streamPollSec": says("Follow interval", "Seconds between two looks at a task that another session runs."),
  "server.pushTimeoutSec": says("Push timeout", "Seconds for one attempt to deliver to a webhook."),
  "server.pushAllowInsecure": says("Insecure push", "Deliver to plain http and to private addresses too."),
  "server.pushSecret": says("Push secret", "Key that signs what webhooks get. Blank: nothing is signed."),

  "timeouts.send": says("Call", "Milliseconds for one whole outbound call."),
  "timeouts.async": says("Poll interval", "Milliseconds between two polls of a detached task."),
  "timeouts.stream": says("Stream silence", "Milliseconds without a byte until a stream counts as broken."),
  retryAttempts: says("Retries", "How often an outbound call is repeated that was surely not taken."),
  verifySsl: says("Verify TLS", "Check the certificates of peers."),

  "discovery.local.enabled": says("Local registry", "Announce this session to the sessions of the same user."),
  "discovery.local.heartbeatSec": says("Heartbeat", "Seconds between two signs of life in the local registry."),
  "discovery.local.ttlSec": says("Time to live", "Seconds after which a silent session counts as gone."),
  "discovery.mdns.enabled": says("mDNS", "Announce and find sessions in the local network; needs bonjour-service."),
  "discovery.mdns.serviceType": says("Service type", "DNS service label, announced as _<label>._tcp."),
  "discovery.enrichCard": says(
    "Session details",
    "Put folder, model and tools on the agent card for callers that are let in.",
  ),
  "discovery.gateway.enabled": GATEWAY.enabled,
  "discovery.gateway.url": GATEWAY.url,
  "discovery.gateway.token": GATEWAY.token,
  "discovery.gateway.name": GATEWAY.name,
  "discovery.gateway.upstreamToken": GATEWAY.upstreamToken,
  "discovery.gateway.heartbeatSec": GATEWAY.heartbeatSec,
  "discovery.gateway.channel": GATEWAY.channel,
  "discovery.gateways.*.enabled": GATEWAY.enabled,
  "discovery.gateways.*.url": GATEWAY.url,
  "discovery.gateways.*.token": GATEWAY.token,
  "discovery.gateways.*.name": GATEWAY.name,
  "discovery.gateways.*.upstreamToken": GATEWAY.upstreamToken,
  "discovery.gateways.*.heartbeatSec": GATEWAY.heartbeatSec,
  "discovery.gateways.*.channel": GATEWAY.channel,

  "ui.transcript": says("Activity", "Show inbound tasks as lines in the transcript; off leaves toasts and footer."),
  "ui.transcriptInContext": says("Activity for the model", "Let the activity lines enter the model's context."),
  "ui.wake": says(
    "Wake",
    "What the end of a detached task does: nothing, tell the person, or also wake the idle model.",
  ),

  projects: says("Projects", "Settings for sessions below an absolute folder, laid over the others."),
};

function says(label: string, description: string): SettingText {
  return { label, description };
}
