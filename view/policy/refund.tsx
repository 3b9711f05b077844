import { POLICY_PATHS } from '#domain/path.ts';

import { ACTIVATION, DAMAGED_ITEMS, LAW_AND_CONTACT, SupportLink } from './policy.tsx';
import type { Policy, PolicySection } from './policy.tsx';

/** The terms of plans (docs/product.md#policy-terms). */
export const PLAN_TERMS: readonly PolicySection[] = [
  {
    id: 'cancelling',
    heading: 'Cancellation',
    body: () => <p>After a cancellation you keep access to the end of the billing cycle.</p>,
  },
  {
    id: 'trials',
    heading: 'Trials',
    body: () => <p>A trial can be cancelled before it ends to avoid charges.</p>,
  },
  {
    id: 'changing-plans',
    heading: 'Upgrades and downgrades',
    body: () => (
      <ul>
        <li>An upgrade is charged immediately, prorated.</li>
        <li>A downgrade takes effect at the end of the billing cycle.</li>
      </ul>
    ),
  },
  {
    id: 'refunds',
    heading: 'Refunds',
    body: () => (
      <>
        <p>There is no refund on subscription fees, except:</p>
        <ul>
          <li>a full refund of a technical or duplicate charge;</li>
          <li>a prorated refund after a service outage over 72 hours.</li>
        </ul>
      </>
    ),
  },
];

const refundRequests: PolicySection = {
  id: 'requests',
  heading: 'Refund requests',
  body: (settings) => (
    <p>
      Send a refund request to <SupportLink settings={settings} />. It is reviewed within 7 business
      days and paid within 10 business days.
    </p>
  ),
};

export const refund: Policy = {
  path: POLICY_PATHS.refund,
  title: 'Cancellation and Refund Policy',
  summary: ({ productName }) =>
    `How a ${productName} plan is cancelled or changed, and when a payment is refunded.`,
  sections: [...PLAN_TERMS, refundRequests, ACTIVATION, DAMAGED_ITEMS, LAW_AND_CONTACT],
};
