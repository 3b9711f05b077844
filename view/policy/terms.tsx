import { POLICY_PATHS } from '#domain/path.ts';

import { LAW_AND_CONTACT, MINIMUM_AGE } from './policy.tsx';
import type { Policy, PolicySection } from './policy.tsx';
import { PLAN_TERMS } from './refund.tsx';

const service: PolicySection = {
  id: 'service',
  heading: 'The service',
  body: ({ productName }) => (
    <p>
      {productName} is a digital business card service for individual professionals. Signing in with
      a phone number creates the account.
    </p>
  ),
};

const smartCards: PolicySection = {
  id: 'smart-cards',
  heading: 'Physical smart cards',
  body: () => (
    <p>
      Physical smart business cards are sold in India only. Times and prices are in the{' '}
      <a href={POLICY_PATHS.shipping}>shipping and delivery policy</a>.
    </p>
  ),
};

const data: PolicySection = {
  id: 'data',
  heading: 'Your data',
  body: () => (
    <p>
      Your data is described in the <a href={POLICY_PATHS.privacy}>privacy policy</a>.
    </p>
  ),
};

export const terms: Policy = {
  path: POLICY_PATHS.terms,
  title: 'Terms and Conditions',
  summary: ({ productName }) => `The terms of ${productName}, its plans and its smart cards.`,
  sections: [service, MINIMUM_AGE, ...PLAN_TERMS, smartCards, data, LAW_AND_CONTACT],
};
