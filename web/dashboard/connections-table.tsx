import type { Contact } from '#contract/contact.ts';
import { mailHref, telephoneHref } from '#domain/href.ts';

/** The connections in their four columns; on a phone each row stands as a block of its own. */
export function ConnectionsTable({ contacts }: { readonly contacts: readonly Contact[] }) {
  return (
    <>
      <table className={contacts.length === 0 ? 'connections-empty' : ''}>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Company</th>
            <th scope="col">Email</th>
            <th scope="col">Phone no.</th>
          </tr>
        </thead>
        <tbody>
          {contacts.map((contact) => (
            <Row key={contact._id} contact={contact} />
          ))}
        </tbody>
      </table>
      {contacts.length === 0 && (
        <div className="connections-note">
          <p className="connections-note-first">Nobody has left their details yet.</p>
          <p>Share your card: whoever presses Connect on it appears here.</p>
        </div>
      )}
    </>
  );
}

function Row({ contact }: { readonly contact: Contact }) {
  const { name, companyName, email, mobile } = contact;
  return (
    <tr>
      <td className="connections-name" dir="auto">
        {name}
      </td>
      <td dir="auto">{companyName}</td>
      <td>{email !== '' && <a href={mailHref(email)}>{email}</a>}</td>
      <td className="connections-mobile">
        {mobile !== '' && <a href={telephoneHref(mobile)}>{mobile}</a>}
      </td>
    </tr>
  );
}
