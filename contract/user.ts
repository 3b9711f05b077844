import * as z from 'zod/mini';

import { TYPED_HANDLE_LENGTH_MAX } from '#domain/handle.ts';
import { NETWORKS } from '#domain/network.ts';
import { PUBLIC_FIELD_NAMES } from '#domain/profile-field.ts';
import { profileChangeSchema } from '#domain/profile.ts';
import { mapNames } from '#domain/record.ts';

import { endpoint, ownerCall, replyText, requestText } from './endpoint.ts';

const handleReply = z.optional(z.nullable(z.string()));

/** Only the server knows which numbers are valid, so it sends the link that calls the card's phone. */
export const CALL_LINK_HEADER = 'X-Call-Link';

const callLinkHeader = {
  [CALL_LINK_HEADER]: 'The link that calls the phone; empty without a number',
};

/** The public reply has exactly these keys (docs/develop/product.md#calls). */
export const profileReply = z.object({
  _id: z.string(),
  ...mapNames(PUBLIC_FIELD_NAMES, () => replyText),
  profilePhoto: replyText,
  socialMediaHandles: z._default(
    // An object ignores networks that this version does not know; a record would reject them.
    z.object(mapNames(NETWORKS, () => handleReply)),
    {},
  ),
});

export const getUser = ownerCall({
  method: 'GET',
  path: '/user/:id',
  access: 'open',
  summary: 'The card of a user, as everybody may see it',
  replyHeaders: { ETag: 'The version of the card', ...callLinkHeader },
  reply: profileReply,
});

export const updateUser = ownerCall({
  path: '/user/updateUser/:id',
  summary: 'Change the card; absent keys stay, a handle of null is unset, unknown keys are ignored',
  body: profileChangeSchema,
  requestHeaders: {
    'If-Match': 'The ETag of the card that was changed; 412 if the card has another one by now',
  },
  replyHeaders: { ETag: 'The new version of the card', ...callLinkHeader },
  reply: profileReply,
});

/** Browsers accept some hosts that the server rejects, so a page asks before it saves. */
export const checkHandle = ownerCall({
  path: '/user/checkHandle/:id',
  summary:
    'What a text becomes as a handle of a network; stores nothing, and 400 says what is wrong',
  body: z.object({ network: z.enum(NETWORKS), text: requestText(TYPED_HANDLE_LENGTH_MAX) }),
  reply: z.object({ problem: replyText }),
});

/** The ETag of the card before its photo was changed. */
export const PREVIOUS_ETAG_HEADER = 'X-Previous-ETag';

export const PHOTO_PALETTE_HEADER = 'X-Photo-Palette';

const photoReplyHeaders = {
  ETag: 'The new version of the card',
  [PREVIOUS_ETAG_HEADER]: 'The version that the change has replaced',
  [PHOTO_PALETTE_HEADER]: 'The number of the palette that the photo gives; absent without one',
};

export const uploadProfileImage = endpoint({
  method: 'POST',
  path: '/user/uploadProfileImage',
  access: 'session',
  summary: 'Replace the profile photo; multipart with image (a picture file) and _id',
  body: 'multipart',
  replyHeaders: photoReplyHeaders,
  reply: z.object({ profilePhoto: z.string() }),
});

export const removeProfileImage = ownerCall({
  path: '/user/removeProfileImage/:id',
  summary: 'Remove the profile photo; the card then shows initials',
  replyHeaders: photoReplyHeaders,
});

export const logout = endpoint({
  method: 'POST',
  path: '/user/logout',
  access: 'session',
  summary: 'End the session that the call was made with',
  reply: z.object({}),
});
