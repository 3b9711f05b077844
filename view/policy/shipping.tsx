import { POLICY_PATHS } from '#domain/path.ts';

import { ACTIVATION, DAMAGED_ITEMS, LAW_AND_CONTACT } from './policy.tsx';
import type { Policy, PolicySection } from './policy.tsx';

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
