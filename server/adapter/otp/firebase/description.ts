import { serviceKey } from '#server/environment/schema.ts';
import type { ProviderDescription } from '#server/adapter/otp/provider.ts';

export const description = {
  // The folder of the two modules firebase-app.js and firebase-auth.js.
  scriptUrl: 'https://www.gstatic.com/firebasejs/12.19.0',
  serviceUrl: 'https://www.googleapis.com',
  keys: {
    FIREBASE_API_KEY: {
      schema: serviceKey(),
      example: 'api-key-1',
      help: "the web application's key, which is public",
    },
  },
} satisfies ProviderDescription;
