import { SupportLink } from './policy.tsx';
import type { Policy, PolicySection } from './policy.tsx';

const deliveryTimes: PolicySection = {
  id: 'delivery-times',
  heading: 'How long it takes, and what it costs',
  body: () => (
    <>
      <div className="policy-table">
        <table>
          <thead>
            <tr>
              <th scope="col">Step</th>
              <th scope="col">Time</th>
              <th scope="col">Price</th>
            </tr>
          </thead>
          <tbody>
            <tr>
              <th scope="row">Order processing</th>
              <td>1-2 business days</td>
              <td>Included</td>
            </tr>
            <tr>
              <th scope="row">Standard delivery</th>
              <td>5-7 business days</td>
              <td>Free across India</td>
            </tr>
            <tr>
              <th scope="row">Express delivery</th>
              <td>2-3 business days</td>
              <td>Charged depending on location, shown before you pay</td>
            </tr>
          </tbody>
        </table>
      </div>
      <p>
        Delivery times count from the day that the order is processed and handed to the carrier.
        Business days are Monday to Saturday, without public holidays. Strikes, floods and remote
        places can add to them; we tell you when we learn of a delay.
      </p>
    </>
  ),
};

export const shipping: Policy = {
  path: '/Shipping_delivery',
  title: 'Shipping and Delivery Policy',
  summary: ({ productName }) =>
    `Where, how fast and at what price ${productName} smart cards are delivered, and what to do when something is wrong.`,
  sections: [
    {
      id: 'what-we-ship',
      heading: 'What we ship, and where',
      body: ({ productName }) => (
        <>
          <p>
            The {productName} digital card needs no shipping: it works as soon as you have set it
            up. This policy is about our physical smart business cards.
          </p>
          <p>
            Physical smart cards are sold and delivered in India only. There is no international
            shipping of physical goods.
          </p>
        </>
      ),
    },
    deliveryTimes,
    {
      id: 'your-address',
      heading: 'Your address',
      body: (facts) => (
        <p>
          We deliver to the address that you give with the order. If it is wrong, write to{' '}
          <SupportLink facts={facts} /> before the order has been processed and we correct it. A
          parcel that comes back because of a wrong address is sent again at your cost.
        </p>
      ),
    },
    {
      id: 'activation',
      heading: 'Activating your smart card',
      body: (facts) => (
        <p>
          Your smart card opens your public card when somebody holds a phone to it. If it does not,
          write to <SupportLink facts={facts} />. Activation issues are resolved within 24-48 hours.
        </p>
      ),
    },
    {
      id: 'damaged',
      heading: 'Damaged items',
      body: (facts) => (
        <p>
          A damaged item must be reported within 48 hours of delivery. Write to{' '}
          <SupportLink facts={facts} /> with the order and a photo of the card and its wrapping, and
          we replace it.
        </p>
      ),
    },
    {
      id: 'contact',
      heading: 'Law and contact',
      body: (facts) => (
        <p>
          This policy is governed by Indian law; disputes are settled in the courts of{' '}
          {facts.jurisdictionState}, India. Questions about a delivery:{' '}
          <SupportLink facts={facts} />.
        </p>
      ),
    },
  ],
};
