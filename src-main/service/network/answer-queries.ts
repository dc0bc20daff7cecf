import type { MulticastDNS, QueryPacket, ResponseOutgoingPacket } from 'multicast-dns';

/** A resource record of DNS. */
export type DnsRecord = ResponseOutgoingPacket['answers'][number];

/**
 * Answers the queries of others for these records (RFC 6762 section 6).
 *
 * @param onError receives errors of sending.
 * @returns a function that ends it.
 */
export function answerQueries(
  socket: MulticastDNS,
  records: readonly DnsRecord[],
  onError: (error: unknown) => void,
): () => void {
  const answer = ({ questions = [] }: QueryPacket): void => {
    const answers = records.filter((record) => questions.some((question) => asksFor(question, record)));
    if (answers.length === 0) return;
    const additionals = relatedRecords(answers, records);
    socket.respond({ answers, additionals }, (error) => error && onError(error));
  };
  socket.on('query', answer);
  return () => void socket.removeListener('query', answer);
}

interface Question {
  readonly name: string;
  readonly type: string;
}

function asksFor({ name, type }: Question, record: DnsRecord): boolean {
  return isName(record, name) && (type === 'ANY' || type === record.type);
}

/**
 * The records that a client queries next (RFC 6763 section 12): server and text of a service that
 * was named, and the addresses of the server.
 */
function relatedRecords(answers: readonly DnsRecord[], records: readonly DnsRecord[]): DnsRecord[] {
  const described = records.filter((record) =>
    answers.some((answer) => answer.type === 'PTR' && record.type !== 'PTR' && isName(record, answer.data)),
  );
  const hosts = [...answers, ...described].flatMap((record) => (record.type === 'SRV' ? record.data.target : []));
  const addresses = records.filter((record) => hosts.some((host) => isName(record, host)));
  return [...described, ...addresses].filter((record) => !answers.includes(record));
}

/** DNS compares names without regard to case. */
function isName(record: DnsRecord, name: string): boolean {
  return record.name.toLowerCase() === name.toLowerCase();
}
