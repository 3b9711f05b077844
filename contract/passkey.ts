import * as z from 'zod/mini';

import {
  endpoint,
  ownerCall,
  replyText,
  requestText,
  userParams,
  verificationToken,
} from './endpoint.ts';
import type { Reply } from './endpoint.ts';

/** An id has at most 1,023 bytes (Web Authentication, section 4), in base64url. */
const PASSKEY_ID_LENGTH_MAX = 1364;
const base64url = (lengthMax: number) =>
  requestText(lengthMax).check(z.regex(/^[\w-]*$/, 'must be base64url'));
const id = base64url(PASSKEY_ID_LENGTH_MAX);
/** The longest keys and signatures of post-quantum algorithms have 5 KB. */
const data = base64url(8192);

/** 'true' if the server does not know the passkey, so that the browser need not offer it again. */
export const PASSKEY_UNKNOWN_HEADER = 'X-Passkey-Unknown';
const replyHeaders = { [PASSKEY_UNKNOWN_HEADER]: "'true' if the passkey is not known" };

const credential = { id, rawId: id, type: z.enum(['public-key']) };

/** What the browser returns, as JSON (Web Authentication, section 5.1). */
const assertion = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: data,
    authenticatorData: data,
    signature: data,
    userHandle: z.nullish(id),
  }),
});
export type Assertion = z.output<typeof assertion>;

const attestation = z.object({
  ...credential,
  response: z.object({ clientDataJSON: data, attestationObject: data }),
});
export type Attestation = z.output<typeof attestation>;

const requestOptions = z.object({
  challenge: z.string(),
  rpId: z.string(),
  timeout: z.number(),
  userVerification: z.enum(['required']),
});

export const getPasskeyRequest = endpoint({
  method: 'POST',
  path: '/passkey/options',
  access: 'open',
  summary: 'A challenge for a passkey, which is also in a cookie for five minutes',
  reply: requestOptions,
});

export const signInWithPasskey = endpoint({
  method: 'POST',
  path: '/passkey/verify',
  access: 'open',
  summary: 'Sign in with a passkey',
  body: assertion,
  reply: z.object({ _id: z.string(), sessionToken: z.string() }),
  replyHeaders,
});

export const getPasskeys = ownerCall({
  method: 'GET',
  path: '/user/:id/passkeys',
  summary: "The owner's passkeys, the newest last",
  reply: z.object({
    passkeys: z._default(
      z.array(
        z.object({
          id: z.string(),
          /** A text such as 'Chrome on Android', or '' if the browser is not known. */
          name: replyText,
          addedDay: replyText,
          usedDay: z._default(z.nullable(z.string()), null),
        }),
      ),
      [],
    ),
  }),
});
export type Passkey = Reply<typeof getPasskeys>['passkeys'][number];

const requirement = z.optional(z.enum(['required', 'preferred', 'discouraged']));

export const getPasskeyOptions = ownerCall({
  path: '/user/:id/passkeyOptions',
  summary: 'A challenge and the options for a new passkey',
  reply: z.object({
    challenge: z.string(),
    rp: z.object({ id: z.optional(z.string()), name: z.string() }),
    user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
    pubKeyCredParams: z.array(z.object({ alg: z.number(), type: z.enum(['public-key']) })),
    timeout: z.optional(z.number()),
    attestation: z.optional(z.enum(['none', 'direct', 'enterprise', 'indirect'])),
    excludeCredentials: z.optional(z.array(z.object({ id: z.string(), type: z.string() }))),
    authenticatorSelection: z.optional(
      z.object({
        residentKey: requirement,
        requireResidentKey: z.optional(z.boolean()),
        userVerification: requirement,
      }),
    ),
    /**
     * This is false for ten minutes after this browser has signed in with a code, or for the first time at a company's
     * login.
     */
    needsVerification: z.boolean(),
  }),
});

export const verifyPasskey = ownerCall({
  path: '/user/:id/verifyPasskey',
  summary: 'Exchange a passkey of the owner for a token that verifies the owner freshly',
  params: userParams,
  body: assertion,
  reply: z.object({ token: z.string() }),
  replyHeaders,
});

export const addPasskey = ownerCall({
  path: '/user/:id/addPasskey',
  summary: 'Add a passkey; the token verifies the owner, unless this browser has just signed in',
  body: z.object({ token: verificationToken, credential: attestation }),
});

export const removePasskey = ownerCall({
  path: '/user/:id/removePasskey',
  summary: 'Remove a passkey; the token verifies the owner',
  body: z.object({ passkey: id, token: verificationToken }),
});
