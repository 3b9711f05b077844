import { serviceKey } from '#server/environment/schema.ts';
import type { ProviderDescription } from '#server/adapter/otp/provider.ts';

export const description = {
  scriptUrl: 'https://verify.msg91.com/otp-provider.js',
  serviceUrl: 'https://control.msg91.com',
  keys: {
    MSG91_AUTH_KEY: {
      schema: serviceKey(),
      example: 'auth-key-1',
      help: "the account's key, which is secret",
      isSecret: true,
    },
    MSG91_TOKEN_AUTH: {
      schema: serviceKey(),
      example: 'token-auth-1',
      help: "the widget's token, which is public",
    },
  },
} satisfies ProviderDescription;
