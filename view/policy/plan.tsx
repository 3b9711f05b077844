import { POLICY_PATHS } from '#domain/path.ts';

import { ACTIVATION, DAMAGED_ITEMS, LAW_AND_CONTACT, MINIMUM_AGE, SupportLink } from './policy.tsx';
import type { Policy, PolicySection } from './policy.tsx';

/** The terms of plans (docs/develop/product.md#policy-terms). */
const PLAN_TERMS: readonly PolicySection[] = [
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

const destinations: PolicySection = {
  id: 'where',
  heading: 'Where we ship',
  body: () => (
    <p>
      Physical smart business cards are sold in India only. There is no international shipping of
      physical goods.
    </p>
  ),
};

const deliveryTimes: PolicySection = {
  id: 'delivery-times',
  heading: 'Times and prices',
  body: () => (
    <>
      <div className="policy-table">
        <table>
          <thead>
            <tr>
              <th scope="col">Step</th>
              <th scope="col">Time</th>
            </tr>
          </thead>
          <tbody>
            <tr>
              <th scope="row">Order processing</th>
              <td>1-2 business days</td>
            </tr>
            <tr>
              <th scope="row">Standard delivery</th>
              <td>5-7 business days</td>
            </tr>
            <tr>
              <th scope="row">Express delivery</th>
              <td>2-3 business days</td>
            </tr>
          </tbody>
        </table>
      </div>
      <p>
        Standard shipping is free across India. Express shipping is charged depending on location.
      </p>
    </>
  ),
};

export const shipping: Policy = {
  path: POLICY_PATHS.shipping,
  title: 'Shipping and Delivery Policy',
  summary: ({ productName }) =>
    `Where, how fast and at what price ${productName} smart cards are delivered.`,
  sections: [destinations, deliveryTimes, ACTIVATION, DAMAGED_ITEMS, LAW_AND_CONTACT],
};

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
