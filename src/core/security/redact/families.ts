// The families of keys that are known by their first letters: plain data, from the issuers' public descriptions. A new issuer is a
// new row here and in docs/security.md.

import { ALNUM, BASE64, DIGIT, DOTTED, HEX, LETTER, LOWER, PATH, UPPER, WORD } from "./chars.ts";

export interface Family {
  /** Shown in place of the key. */
  readonly kind: string;
  readonly prefixes: readonly string[];
  /** Letters after the prefix. */
  readonly body: number;
  /** So many letters of `body` at least. */
  readonly min: number;
  /** Exactly `min` letters: more of them mean that it is something else. */
  readonly exact?: true;
  /** The prefix is found in other names too: nothing but space and punctuation before it, and a body that reads like chance. */
  readonly weak?: true;
  /** Keys of this family are about as long; one that is shorter at the end of a line may go on in the next. */
  readonly usual?: number;
}

export const FAMILIES: readonly Family[] = [
  // Models
  { kind: "anthropic key", prefixes: ["sk-ant-"], body: WORD, min: 16, usual: 108 },
  { kind: "openrouter key", prefixes: ["sk-or-"], body: WORD, min: 16, usual: 73 },
  { kind: "langfuse key", prefixes: ["sk-lf-"], body: WORD, min: 30 },
  {
    kind: "openai key",
    prefixes: ["sk-proj-", "sk-svcacct-", "sk-admin-", "sk-None-", "sk-test-", "sk-live-"],
    body: WORD,
    min: 12,
    usual: 160,
  },
  { kind: "openai key", prefixes: ["sk-"], body: WORD, min: 16, weak: true, usual: 51 },
  { kind: "google api key", prefixes: ["AIza"], body: WORD, min: 35, exact: true },
  { kind: "google api key", prefixes: ["AQ.Ab"], body: WORD, min: 30 },
  { kind: "google oauth token", prefixes: ["ya29."], body: DOTTED, min: 20 },
  { kind: "google client secret", prefixes: ["GOCSPX-"], body: WORD, min: 20 },
  { kind: "hugging face token", prefixes: ["hf_", "api_org_"], body: ALNUM, min: 30 },
  { kind: "xai key", prefixes: ["xai-"], body: ALNUM, min: 40, usual: 84 },
  { kind: "groq key", prefixes: ["gsk_"], body: ALNUM, min: 40 },
  { kind: "replicate token", prefixes: ["r8_"], body: ALNUM, min: 30 },
  { kind: "perplexity key", prefixes: ["pplx-"], body: ALNUM, min: 32 },
  { kind: "cerebras key", prefixes: ["csk-"], body: ALNUM, min: 40 },
  { kind: "fireworks key", prefixes: ["fw_"], body: ALNUM, min: 22, weak: true },
  { kind: "nvidia key", prefixes: ["nvapi-"], body: WORD, min: 40 },
  { kind: "langsmith key", prefixes: ["lsv2_pt_", "lsv2_sk_"], body: WORD, min: 32 },
  { kind: "pinecone key", prefixes: ["pcsk_"], body: WORD, min: 30 },
  { kind: "tavily key", prefixes: ["tvly-"], body: WORD, min: 24 },
  { kind: "aws bedrock key", prefixes: ["ABSK"], body: BASE64, min: 100 },

  // Code and packages
  { kind: "github token", prefixes: ["ghp_", "gho_", "ghu_", "ghs_", "ghr_"], body: WORD, min: 30, usual: 40 },
  { kind: "github token", prefixes: ["github_pat_"], body: WORD, min: 40, usual: 93 },
  {
    kind: "gitlab token",
    prefixes: ["pat", "dt", "rt", "ptt", "cbt", "soat", "ft", "agent", "imt", "ffct", "oas"].map((of) => `gl${of}-`),
    body: DOTTED,
    min: 18,
  },
  { kind: "npm token", prefixes: ["npm_"], body: ALNUM, min: 30, usual: 40 },
  { kind: "pypi token", prefixes: ["pypi-"], body: WORD, min: 50, usual: 170 },
  { kind: "rubygems key", prefixes: ["rubygems_"], body: HEX, min: 40 },
  { kind: "crates.io token", prefixes: ["cio"], body: ALNUM, min: 32, exact: true, weak: true },
  { kind: "docker token", prefixes: ["dckr_pat_", "dckr_oat_"], body: WORD, min: 20 },
  { kind: "sonarqube token", prefixes: ["sqp_", "squ_", "sqa_"], body: HEX, min: 40 },
  { kind: "circleci token", prefixes: ["CCIPAT_", "CCIPRJ_"], body: WORD, min: 40 },
  { kind: "buildkite token", prefixes: ["bkua_"], body: HEX, min: 40 },
  { kind: "atlassian token", prefixes: ["ATATT3", "ATCTT3", "ATBB"], body: WORD | BASE64, min: 28 },
  { kind: "postman key", prefixes: ["PMAK-"], body: WORD, min: 50 },
  { kind: "sourcegraph token", prefixes: ["sgp_"], body: WORD, min: 40 },

  // Clouds and hosting
  { kind: "aws access key id", prefixes: ["AKIA", "ASIA"], body: UPPER | DIGIT, min: 16, exact: true },
  { kind: "azure devops token", prefixes: ["AZDO"], body: ALNUM, min: 60 },
  { kind: "digitalocean token", prefixes: ["dop_v1_", "doo_v1_", "dor_v1_"], body: HEX, min: 60 },
  { kind: "heroku key", prefixes: ["HRKU-"], body: WORD, min: 30 },
  { kind: "databricks token", prefixes: ["dapi"], body: HEX, min: 32 },
  { kind: "vault token", prefixes: ["hvs.", "hvb.", "hvr."], body: WORD, min: 24 },
  {
    kind: "doppler token",
    prefixes: ["pt", "st", "ct", "sa", "scim", "audit"].map((of) => `dp.${of}.`),
    body: DOTTED,
    min: 40,
  },
  { kind: "cloudflare token", prefixes: ["cfut_", "cfat_", "cfk_"], body: WORD, min: 36 },
  { kind: "cloudflare origin key", prefixes: ["v1.0-"], body: WORD, min: 150 },
  { kind: "alibaba key id", prefixes: ["LTAI"], body: ALNUM, min: 16, weak: true },
  { kind: "netlify token", prefixes: ["nfp_"], body: ALNUM, min: 36 },
  { kind: "fly.io token", prefixes: ["fo1_", "fm1_", "fm2_", "fm1a_", "fm1r_"], body: WORD | BASE64, min: 40 },
  { kind: "planetscale token", prefixes: ["pscale_tkn_", "pscale_pw_", "pscale_oauth_"], body: DOTTED, min: 30 },
  { kind: "supabase key", prefixes: ["sbp_", "sb_secret_"], body: WORD, min: 30 },
  { kind: "pulumi token", prefixes: ["pul-"], body: HEX, min: 40 },
  { kind: "tailscale key", prefixes: ["tskey-"], body: WORD, min: 20 },
  { kind: "prefect token", prefixes: ["pnu_"], body: ALNUM, min: 36 },
  { kind: "1password token", prefixes: ["ops_eyJ"], body: WORD | BASE64, min: 100 },
  { kind: "age key", prefixes: ["AGE-SECRET-KEY-1"], body: UPPER | DIGIT, min: 50 },

  // Messages, payments, shops
  { kind: "slack token", prefixes: ["xoxa-", "xoxb-", "xoxe-", "xoxe.xox", "xoxo-"], body: WORD, min: 10 },
  { kind: "slack token", prefixes: ["xoxp-", "xoxr-", "xoxs-", "xapp-", "xwfp-"], body: WORD, min: 10 },
  { kind: "slack webhook", prefixes: ["hooks.slack.com/services/", "hooks.slack.com/workflows/"], body: PATH, min: 20 },
  { kind: "discord webhook", prefixes: ["discord.com/api/webhooks/"], body: PATH, min: 40 },
  { kind: "discord webhook", prefixes: ["discordapp.com/api/webhooks/"], body: PATH, min: 40 },
  { kind: "stripe key", prefixes: ["sk_live_", "sk_test_", "rk_live_", "rk_test_"], body: WORD, min: 12 },
  { kind: "stripe webhook secret", prefixes: ["whsec_"], body: BASE64, min: 24 },
  { kind: "twilio key", prefixes: ["SK"], body: HEX, min: 32, exact: true },
  { kind: "sendgrid key", prefixes: ["SG."], body: DOTTED, min: 60 },
  { kind: "brevo key", prefixes: ["xkeysib-", "xsmtpsib-"], body: WORD, min: 60 },
  { kind: "mailgun key", prefixes: ["key-"], body: HEX, min: 32, exact: true, weak: true },
  { kind: "shopify token", prefixes: ["shpat_", "shpca_", "shppa_", "shpss_"], body: ALNUM, min: 30 },
  { kind: "square token", prefixes: ["sq0atp-", "sq0csp-", "sq0idp-"], body: WORD, min: 20 },
  { kind: "square token", prefixes: ["EAAA"], body: WORD, min: 60, exact: true },
  { kind: "facebook token", prefixes: ["EAA"], body: ALNUM, min: 90 },
  { kind: "flutterwave key", prefixes: ["FLWSECK-", "FLWSECK_TEST-"], body: WORD, min: 12 },

  // Watching and working together
  { kind: "new relic key", prefixes: ["NRAK-", "NRII-", "NRAA-", "NRRA-"], body: WORD, min: 25 },
  { kind: "sentry token", prefixes: ["sntrys_", "sntryu_"], body: WORD | BASE64, min: 40 },
  { kind: "grafana token", prefixes: ["glsa_", "glc_"], body: WORD | BASE64, min: 32 },
  { kind: "dynatrace token", prefixes: ["dt0c01.", "dt0s01.", "dt0s16."], body: DOTTED, min: 60 },
  { kind: "linear key", prefixes: ["lin_api_", "lin_oauth_"], body: ALNUM, min: 32 },
  { kind: "notion token", prefixes: ["ntn_", "secret_"], body: ALNUM, min: 43, weak: true },
  { kind: "figma token", prefixes: ["figd_", "figu_"], body: WORD, min: 30 },
  { kind: "contentful token", prefixes: ["CFPAT-"], body: WORD, min: 40 },
  { kind: "typeform token", prefixes: ["tfp_"], body: DOTTED, min: 40 },
  { kind: "openshift token", prefixes: ["sha256~"], body: WORD, min: 40 },
  { kind: "easypost key", prefixes: ["EZAK", "EZTK"], body: ALNUM, min: 54 },
  { kind: "adafruit key", prefixes: ["aio_"], body: LETTER | DIGIT, min: 28, exact: true },
  { kind: "nuget key", prefixes: ["oy2"], body: LOWER | DIGIT, min: 43, exact: true },
];
