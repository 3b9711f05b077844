import * as account from '#contract/account.ts';
import * as analytics from '#contract/analytics.ts';
import * as appearance from '#contract/appearance.ts';
import * as contact from '#contract/contact.ts';
import * as contactsView from '#contract/contacts-view.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import * as extras from '#contract/extras.ts';
import * as faces from '#contract/faces.ts';
import * as push from '#contract/push.ts';
import * as signin from '#contract/signin.ts';
import * as user from '#contract/user.ts';
import * as wallet from '#contract/wallet.ts';

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'path' in value && 'reply' in value;

export const ENDPOINTS = [
  account,
  analytics,
  appearance,
  contact,
  contactsView,
  extras,
  faces,
  push,
  signin,
  user,
  wallet,
].flatMap((module) => Object.values<unknown>(module).filter(isEndpoint));
