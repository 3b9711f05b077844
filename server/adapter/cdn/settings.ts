import { callbackUrl } from '#server/environment/schema.ts';
import type { ServiceSettingTable, ServiceValues } from '#server/environment/setting.ts';
import { description as webhook } from '#server/adapter/sms/webhook/description.ts';

export const CDN_SETTINGS = {
  CDN_PURGE_URL: {
    schema: callbackUrl(),
    example: 'https://purge.example.com/cards',
    help: 'the address to which the paths of a changed card are posted, for a CDN in front ([proxy.md](proxy.md#a-cdn-in-front))',
    defaultHelp: 'none: nothing is posted',
  },
  CDN_PURGE_SECRET: {
    schema: webhook.keys.SMS_WEBHOOK_SECRET.schema,
    example: 'a-secret-of-at-least-32-characters',
    help: 'at least 32 characters, the key of the signature',
    isSecret: true,
  },
} satisfies ServiceSettingTable;

export type CdnSettings = ServiceValues<typeof CDN_SETTINGS>;
