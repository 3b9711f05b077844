import { SupportLink } from './policy.tsx';
import type { Policy, PolicySection } from './policy.tsx';

const refunds: PolicySection = {
  id: 'refunds',
  heading: 'Refunds',
  body: () => (
    <>
      <p>
        Subscription fees pay for access that begins at once, so there is no refund on subscription
        fees, except in these two cases:
      </p>
      <ul>
        <li>
          <strong>A technical or duplicate charge.</strong> If an error charged you wrongly, or
          charged you twice for the same thing, you get a full refund of that charge.
        </li>
        <li>
          <strong>A long outage.</strong> If the service is down for more than 72 hours, you get a
          prorated refund for the time that you could not use it.
        </li>
      </ul>
    </>
  ),
};

const howToAsk: PolicySection = {
  id: 'how-to-ask',
  heading: 'How to ask for a refund',
  body: (facts) => (
    <>
      <ol>
        <li>
          Write to <SupportLink facts={facts} /> with your login phone number, the date and amount
          of the charge, and what went wrong.
        </li>
        <li>We review your request within 7 business days and tell you what we decided.</li>
        <li>
          An approved refund is paid within 10 business days, to the means of payment that was
          charged. Your bank may need some days more to show it.
        </li>
      </ol>
    </>
  ),
};

export const refund: Policy = {
  path: '/Cancellation_Refund',
  title: 'Cancellation and Refund Policy',
  summary: ({ productName }) =>
    `How to cancel, change or try a ${productName} plan, and when a payment is refunded.`,
  sections: [
    {
      id: 'cancelling',
      heading: 'Cancelling a subscription',
      body: (facts) => (
        <p>
          You can cancel at any time by writing to <SupportLink facts={facts} />. You keep access to
          everything that you paid for to the end of the billing cycle; after that the plan is not
          renewed and nothing more is charged. Your card and its link go on working within what is
          free.
        </p>
      ),
    },
    {
      id: 'trials',
      heading: 'Trials',
      body: () => (
        <p>
          A trial can be cancelled at any time before it ends to avoid charges. A trial that is not
          cancelled becomes the paid plan on the day that it ends.
        </p>
      ),
    },
    {
      id: 'changing-plans',
      heading: 'Upgrading and downgrading',
      body: () => (
        <ul>
          <li>
            <strong>An upgrade</strong> takes effect immediately and is charged immediately,
            prorated: you pay the difference for what is left of the billing cycle.
          </li>
          <li>
            <strong>A downgrade</strong> takes effect at the end of the billing cycle. Until then
            you keep the plan that you paid for.
          </li>
        </ul>
      ),
    },
    refunds,
    howToAsk,
    {
      id: 'physical-cards',
      heading: 'Physical smart cards',
      body: () => (
        <p>
          A smart card that arrives damaged, or that cannot be activated, is put right as the{' '}
          <a href="/Shipping_delivery#damaged">shipping and delivery policy</a> says: please report
          damage within 48 hours of delivery.
        </p>
      ),
    },
    {
      id: 'contact',
      heading: 'Law and contact',
      body: (facts) => (
        <p>
          This policy is governed by Indian law; disputes are settled in the courts of{' '}
          {facts.jurisdictionState}, India. Questions about a charge: <SupportLink facts={facts} />.
        </p>
      ),
    },
  ],
};
