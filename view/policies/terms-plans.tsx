import type { PolicySection } from './policy.tsx';

/** The sections on paid plans and physical cards. */
export const planTerms: readonly PolicySection[] = [
  {
    id: 'plans',
    heading: 'Paid plans',
    body: () => (
      <>
        <ul>
          <li>A plan is paid for one billing cycle ahead and renews until you cancel it.</li>
          <li>After a cancellation you keep access to the end of the billing cycle.</li>
          <li>An upgrade is charged immediately, prorated.</li>
          <li>A downgrade takes effect at the end of the billing cycle.</li>
          <li>A trial can be cancelled before it ends to avoid charges.</li>
          <li>
            There is no refund on subscription fees, except a full refund of a technical or
            duplicate charge, and a prorated refund after a service outage over 72 hours.
          </li>
        </ul>
        <p>
          The <a href="/Cancellation_Refund">cancellation and refund policy</a> says how to go about
          each of these.
        </p>
      </>
    ),
  },
  {
    id: 'smart-cards',
    heading: 'Physical smart cards',
    body: () => (
      <p>
        Physical smart cards are sold in India only; we do not ship physical goods to other
        countries. Activation issues are resolved within 24-48 hours, and a damaged item must be
        reported within 48 hours of delivery. Times and prices are in the{' '}
        <a href="/Shipping_delivery">shipping and delivery policy</a>.
      </p>
    ),
  },
];
