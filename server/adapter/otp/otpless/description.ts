import { serviceKey } from '#server/environment/schema.ts';
import type { ProviderDescription } from '#server/adapter/otp/provider.ts';

export const description = {
  scriptUrl: 'https://otpless.com/v4/auth.js',
  serviceUrl: 'https://user-auth.otpless.app',
  keys: {
    OTPLESS_CLIENT_ID: {
      schema: serviceKey(),
      example: 'client-1',
      help: "the id of this service's credentials at OTPless",
      isSecret: true,
    },
    OTPLESS_CLIENT_SECRET: {
      schema: serviceKey(),
      example: 'client-secret-1',
      help: "the secret of this service's credentials at OTPless",
      isSecret: true,
    },
  },
} satisfies ProviderDescription;
