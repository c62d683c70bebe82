// Owns the version that the agent card names; a test holds it equal to package.json.

export const PACKAGE_VERSION = "0.1.0";
