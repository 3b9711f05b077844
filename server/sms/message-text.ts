import { pattern } from '#server/environment/schema.ts';
import type { ServiceSetting } from '#server/environment/setting.ts';

const PLACEHOLDER = '{code}';
const TEXT_INVALID = `must contain ${PLACEHOLDER}, the placeholder of the code`;

/**
 * The text of a message. It has no default: in India it must be exactly a registered template
 * (DLT), see docs/security.md#sms-gateways.
 */
export const MESSAGE_TEXT: ServiceSetting = {
  schema: pattern(/\{code\}/, TEXT_INVALID),
  example: '{code} is your code.',
  help: 'the message, with `{code}` in place of the code; in India exactly a registered template (DLT). With `webhook` it is sent as `text`',
};

/** The same for a gateway that needs no text; '' means none. */
export const OPTIONAL_MESSAGE_TEXT: ServiceSetting = {
  ...MESSAGE_TEXT,
  schema: pattern(/^$|\{code\}/, TEXT_INVALID),
  fallback: '',
};

/** Returns the text with the code in it. */
export function textWithCode(text: string, code: string): string {
  return text.replaceAll(PLACEHOLDER, code);
}
