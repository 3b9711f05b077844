import { pattern } from '#server/environment/schema.ts';
import type { ServiceSetting } from '#server/environment/setting.ts';

const PLACEHOLDER = '{code}';
const TEXT_INVALID = `must contain ${PLACEHOLDER}, the placeholder of the code`;

/** Without a default: in India it must be a registered template (docs/security.md#sms-gateways). */
export const MESSAGE_TEXT: ServiceSetting = {
  schema: pattern(/\{code\}/, TEXT_INVALID),
  example: '{code} is your code.',
  help: 'the message, with `{code}` in place of the code; in India exactly a registered template (DLT). With `webhook` it is sent as `text`',
};

/** '' means none. */
export const OPTIONAL_MESSAGE_TEXT: ServiceSetting = {
  ...MESSAGE_TEXT,
  schema: pattern(/^$|\{code\}/, TEXT_INVALID),
  fallback: '',
};

export function textWithCode(text: string, code: string): string {
  return text.replaceAll(PLACEHOLDER, code);
}
