import * as z from 'zod/mini';

import { userIdSchema } from '#domain/identifier.ts';
import { NETWORKS } from '#domain/network.ts';
import { profileChangeSchema } from '#domain/profile.ts';

import { endpoint } from './endpoint.ts';

/** The public answer: these keys and nothing else (decisions, "The calls"). */
export const profileReply = z.object({
  _id: z.string(),
  name: z.string(),
  designation: z.string(),
  companyName: z.string(),
  bio: z.string(),
  phone: z.string(),
  email: z.string(),
  profilePhoto: z.string(),
  socialMediaHandles: z.partialRecord(z.enum(NETWORKS), z.nullable(z.string())),
});

const userParams = z.object({ id: userIdSchema });

export const getUser = endpoint({
  method: 'GET',
  path: '/user/:id',
  access: 'open',
  summary: 'The card of a user, as everybody may see it',
  params: userParams,
  reply: profileReply,
});

export const updateUser = endpoint({
  method: 'POST',
  path: '/user/updateUser/:id',
  summary: 'Change the card; absent keys stay, a handle of null is unset, unknown keys are ignored',
  params: userParams,
  body: profileChangeSchema,
  reply: profileReply,
});

export const uploadProfileImage = endpoint({
  method: 'POST',
  path: '/user/uploadProfileImage',
  access: 'session',
  summary: 'Replace the profile photo; multipart with image (a picture file) and _id',
  body: 'multipart',
  reply: z.object({ profilePhoto: z.string() }),
});

export const logout = endpoint({
  method: 'POST',
  path: '/user/logout',
  access: 'session',
  summary: 'End the session that the call was made with',
  reply: z.object({}),
});
