// A client that costs little, so that what is measured is the server: GETs, forms or bodies over N keep-alive connections with one thread and epoll. It receives
// (the kernel copies every byte out of the socket), checks status, length and Content-Range of every answer, and prints one line of JSON.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum { head_max = 16384, paths_max = 64, forms_max = 64, form_max = 1024, bodies_max = 32, places_max = 4, id_length = 32, answer_max = 4096, buffer_size = 256 * 1024 };

struct connection {
  int fd;
  char head[head_max];
  size_t head_length;
  int in_body;
  int last;              // the server closes after this answer
  int64_t remaining;     // of the body; -1: until the server closes
  int64_t received;      // of the body
  int64_t range_first;   // -1: no range asked for
  double asked_at, first_at;
  int64_t taken;         // bytes since the connection began, for the pace
  int busy;
  char form[form_max];   // empty: GET
  char answer[answer_max];
};

// Sent as it is, but for a new id (32 hexadecimal digits) wherever 32 times "@" stands in the file. A gzip file must have them in stored blocks, and its name
// (RFC 1952 section 2.3.1) says where they stand in the text: "13,190". What each bit of an id adds to its CRC-32 is known then, so nothing is compressed here.
struct body { char *bytes; size_t length; char *ids[places_max]; int id_count, gzip; uint32_t crc, weights[places_max][id_length][8]; };

struct latencies { double *at; size_t count, room; };

static const char *host = "127.0.0.1", *auth = "", *paths[paths_max];
static const char *forms[forms_max], *wanted_text = "";
static struct body bodies[bodies_max];
static int port, path_count, form_count, body_count, chained, connection_count = 1;
static int64_t request_limit = 1, range_size, range_of, range_fixed = -1, positions, expected = -1, pace;
static double second_limit = 1e9, rate, began;
static int64_t issued, finished, body_bytes;
static uint64_t state = 88172645463325252ull;
static char *sink;
static int epoll;
static struct latencies first_bytes, totals;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void fail(const char *what, const char *detail) {
  fprintf(stderr, "client: %s%s%.600s\n", what, *detail ? ": " : "", detail);
  exit(1);
}

static uint64_t random64(void) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state;
}

static void note(struct latencies *list, double value) {
  if (list->count == list->room) {
    list->room = list->room ? list->room * 2 : 4096;
    list->at = realloc(list->at, list->room * sizeof *list->at);
    if (!list->at) fail("out of memory", "");
  }
  list->at[list->count++] = value;
}

static void connect_to_server(struct connection *c) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
  int one = 1;
  inet_pton(AF_INET, host, &address.sin_addr);
  c->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (connect(c->fd, (struct sockaddr *)&address, sizeof address) != 0) fail("cannot connect", strerror(errno));
  setsockopt(c->fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  fcntl(c->fd, F_SETFL, O_NONBLOCK);
  if (pace == 0) {
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = c};
    if (epoll_ctl(epoll, EPOLL_CTL_ADD, c->fd, &event) != 0) fail("epoll", strerror(errno));
  }
}

static uint32_t crc_step(uint32_t crc) {
  for (int bit = 0; bit < 8; bit++) crc = crc & 1 ? crc >> 1 ^ 0xedb88320u : crc >> 1;
  return crc;
}

static uint32_t little_endian(const char *at) {
  const unsigned char *b = (const unsigned char *)at;
  return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static void read_gzip(struct body *b, const char *name) {
  if (b->length < 20 || b->bytes[3] != 8) fail("a gzip file without a name", name);
  b->gzip = 1;
  b->crc = little_endian(b->bytes + b->length - 8);
  const char *places = b->bytes + 10;
  for (int i = 0; i < b->id_count; i++) {
    long behind = (long)little_endian(b->bytes + b->length - 4) - strtol(places, (char **)&places, 10) - id_length;
    places += 1;
    for (int bit = 0; bit < 8; bit++) {
      uint32_t crc = crc_step(1u << bit);
      for (long at = 0; at < behind; at++) crc = crc_step(crc);
      for (int at = id_length - 1; at >= 0; at--, crc = crc_step(crc)) b->weights[i][at][bit] = crc;
    }
  }
}

static void load_body(const char *name) {
  static const char mark[] = "@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@";
  struct body *b = &bodies[body_count++];
  FILE *file = fopen(name, "rb");
  if (!file || fseek(file, 0, SEEK_END) != 0) fail("cannot read", name);
  b->length = (size_t)ftell(file);
  rewind(file);
  b->bytes = malloc(b->length);
  if (!b->bytes || fread(b->bytes, 1, b->length, file) != b->length) fail("cannot read", name);
  fclose(file);
  for (char *at = b->bytes; (at = memmem(at, b->length - (size_t)(at - b->bytes), mark, id_length)); at += id_length) {
    if (b->id_count == places_max) fail("too many places for the id", name);
    b->ids[b->id_count++] = at;
  }
  if (b->length > 2 && !memcmp(b->bytes, "\x1f\x8b", 2)) read_gzip(b, name);
}

static void renew_id(struct body *b) {
  char id[id_length + 1];
  snprintf(id, sizeof id, "%016llx%016llx", (unsigned long long)random64(), (unsigned long long)random64());
  for (int i = 0; i < b->id_count; i++) memcpy(b->ids[i], id, id_length);
  if (!b->gzip) return;
  uint32_t crc = b->crc;
  for (int i = 0; i < b->id_count; i++)
    for (int at = 0; at < id_length; at++)
      for (int bit = 0; bit < 8; bit++) if ((id[at] ^ '@') >> bit & 1) crc ^= b->weights[i][at][bit];
  for (int at = 0; at < 4; at++) b->bytes[b->length - 8 + (size_t)at] = (char)(crc >> 8 * at);
}

// A body may be more than the socket takes at once; meanwhile the server works.
static void send_all(struct connection *c, const char *bytes, size_t length) {
  while (length > 0) {
    ssize_t count = send(c->fd, bytes, length, MSG_NOSIGNAL);
    if (count < 0 && errno == EAGAIN) {
      struct pollfd writable = {.fd = c->fd, .events = POLLOUT};
      if (poll(&writable, 1, 30000) == 0) fail("cannot send for 30 seconds", "");
      continue;
    }
    if (count < 0) fail("cannot send", strerror(errno));
    bytes += count;
    length -= (size_t)count;
  }
}

static void ask(struct connection *c) {
  char request[4096], range[96] = "", form_head[192] = "";
  if (issued >= request_limit || now() - began > second_limit) {
    c->busy = 0;
    return;
  }
  if (c->fd < 0) connect_to_server(c);
  c->range_first = -1;
  if (range_size > 0) {
    uint64_t pick = random64();
    int64_t span = range_of - range_size;
    if (range_fixed >= 0) c->range_first = range_fixed;
    // Few positions, spread over everything: what is measured is not the cold cache.
    else if (positions > 0) c->range_first = span <= 0 ? 0 : (int64_t)((pick % (uint64_t)positions) * 2654435761u * 4099u % (uint64_t)(span + 1));
    else c->range_first = span <= 0 ? 0 : (int64_t)(pick % (uint64_t)(span + 1));
    snprintf(range, sizeof range, "Range: bytes=%lld-%lld\r\n", (long long)c->range_first, (long long)(c->range_first + range_size - 1));
  }
  struct body *body = body_count > 0 ? &bodies[issued % body_count] : NULL;
  if (body) snprintf(form_head, sizeof form_head, "Content-Type: application/x-sentry-envelope\r\n%sContent-Length: %zu\r\n", body->gzip ? "Content-Encoding: gzip\r\n" : "", body->length);
  if (*c->form) snprintf(form_head, sizeof form_head, "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: %zu\r\n", strlen(c->form));
  int length = snprintf(request, sizeof request, "%s %s HTTP/1.1\r\nHost: %s:%d\r\n%s%s%s%s%s\r\n%s", *c->form || body ? "POST" : "GET", paths[issued % path_count],
                        host, port, *auth ? "Authorization: " : "", auth, *auth ? "\r\n" : "", range, form_head, c->form);
  issued += 1;
  c->head_length = 0;
  c->in_body = 0;
  c->received = 0;
  c->first_at = 0;
  c->busy = 1;
  // At a steady rate, when it was due: waiting for a free connection is waiting for the server.
  c->asked_at = rate > 0 ? began + (double)(issued - 1) / rate : now();
  send_all(c, request, (size_t)length);
  if (body) {
    renew_id(body);
    send_all(c, body->bytes, body->length);
  }
}

// The next form asks with the refresh token that this answer gave; the form ends with it.
static void follow_chain(struct connection *c) {
  static const char name[] = "\"refresh_token\":\"", field[] = "refresh_token=";
  char *value = strstr(c->answer, name), *end = value ? strchr(value + sizeof name - 1, '"') : NULL, *old = c->form, *next;
  if (!end) fail("no refresh token in the answer", c->answer);
  value += sizeof name - 1;
  while ((next = strstr(old, field))) old = next + sizeof field - 1;
  if (old - c->form + (end - value) >= form_max) fail("a refresh token that is too long", c->answer);
  snprintf(old, (size_t)(form_max - (old - c->form)), "%.*s", (int)(end - value), value);
}

static void end_answer(struct connection *c) {
  double at = now();
  int64_t wanted = range_size > 0 ? range_size : expected;
  if (wanted >= 0 && c->received != wanted) fail("body of a wrong length", c->head);
  if (*wanted_text && !strstr(c->answer, wanted_text)) fail("an answer without what it has to say", c->answer);
  if (chained) follow_chain(c);
  note(&first_bytes, (c->first_at - c->asked_at) * 1000);
  note(&totals, (at - c->asked_at) * 1000);
  finished += 1;
  body_bytes += c->received;
  if (c->last && c->fd >= 0) {
    close(c->fd);
    c->fd = -1;
  }
  if (rate > 0) c->busy = 0;
  else ask(c);
}

// The head is whole: status, length and place are checked.
static void begin_body(struct connection *c) {
  char *line;
  int status = strlen(c->head) > 12 ? atoi(c->head + 9) : 0;
  if (status != (c->range_first >= 0 ? 206 : 200)) fail("unexpected answer", c->head);
  line = strcasestr(c->head, "\r\ncontent-length:");
  c->remaining = line ? atoll(line + 17) : -1;
  if (!line && strcasestr(c->head, "\r\ntransfer-encoding: chunked")) fail("a chunked answer, which this client does not read", c->head);
  if (c->range_first >= 0) {
    line = strcasestr(c->head, "\r\ncontent-range: bytes ");
    if (!line || atoll(line + 23) != c->range_first) fail("another range than asked for", c->head);
  }
  line = strcasestr(c->head, "\r\nconnection: close");
  c->last = line != NULL;
  c->in_body = 1;
}

static void take(struct connection *c, const char *bytes, size_t count) {
  if (!c->in_body) {
    size_t before = c->head_length, room = head_max - 1 - before, part = count < room ? count : room;
    memcpy(c->head + before, bytes, part);
    c->head_length += part;
    c->head[c->head_length] = 0;
    char *end = strstr(c->head, "\r\n\r\n");
    if (!end) {
      if (room == part) fail("the head does not end", "");
      return;
    }
    size_t head = (size_t)(end + 4 - c->head), used = head - before;
    end[2] = 0;
    bytes += used;
    count -= used;
    begin_body(c);
  }
  if (count > 0 && c->first_at == 0) c->first_at = now();
  if (count > 0 && c->received < answer_max - 1) {
    size_t room = (size_t)(answer_max - 1 - c->received), part = count < room ? count : room;
    memcpy(c->answer + c->received, bytes, part);
    c->answer[(size_t)c->received + part] = 0;
  }
  c->received += (int64_t)count;
  c->taken += (int64_t)count;
  if (c->remaining >= 0) {
    c->remaining -= (int64_t)count;
    if (c->remaining < 0) fail("more bytes than announced", c->head);
    if (c->remaining == 0) {
      if (c->first_at == 0) c->first_at = now();
      end_answer(c);
    }
  }
}

static int receive(struct connection *c, size_t most) {
  ssize_t count = recv(c->fd, sink, most < buffer_size ? most : buffer_size, 0);
  if (count > 0) {
    take(c, sink, (size_t)count);
    return 1;
  }
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return 0;
  if (count < 0) fail("connection broken", strerror(errno));
  close(c->fd);
  c->fd = -1;
  if (!c->busy) return 0;
  if (!c->in_body || c->remaining > 0) fail("connection closed before the end of the body", c->head);
  end_answer(c);
  return 0;
}

static void run_paced(struct connection *all) {
  for (int busy = 1; busy;) {
    struct timespec tick = {.tv_nsec = 5000000};
    nanosleep(&tick, NULL);
    busy = 0;
    for (int i = 0; i < connection_count; i++) {
      struct connection *c = &all[i];
      if (!c->busy) continue;
      busy = 1;
      int64_t due = (int64_t)((now() - began) * (double)pace);
      while (c->busy && c->taken < due && receive(c, (size_t)(due - c->taken))) {}
    }
  }
}

static void run_free(void) {
  struct epoll_event events[256];
  while (finished < issued) {
    int count = epoll_wait(epoll, events, 256, 30000);
    if (count == 0) fail("no byte for 30 seconds", "");
    for (int i = 0; i < count; i++) receive(events[i].data.ptr, buffer_size);
  }
}

static void run_steadily(struct connection *all) {
  struct epoll_event events[256];
  while (issued < request_limit && now() - began < second_limit) {
    double wait = began + (double)issued / rate - now();
    int count = epoll_wait(epoll, events, 256, wait > 0 ? (int)(wait * 1000) : 0);
    for (int i = 0; i < count; i++) receive(events[i].data.ptr, buffer_size);
    for (int i = 0; i < connection_count && now() >= began + (double)issued / rate; i++) if (!all[i].busy) ask(&all[i]);
  }
  run_free();
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void print_latencies(const char *name, struct latencies *list) {
  qsort(list->at, list->count, sizeof *list->at, ascending);
  size_t last = list->count - 1;
  printf(",\"%s\":{\"p50\":%.3f,\"p95\":%.3f,\"p99\":%.3f,\"max\":%.3f}", name, list->at[last / 2], list->at[last * 95 / 100], list->at[last * 99 / 100],
         list->at[last]);
}

static void read_arguments(int argc, char **argv) {
  for (int i = 1; i + 1 < argc; i += 2) {
    const char *name = argv[i], *value = argv[i + 1];
    if (!strcmp(name, "--port")) port = atoi(value);
    else if (!strcmp(name, "--path") && path_count < paths_max) paths[path_count++] = value;
    else if (!strcmp(name, "--authorization")) auth = value;
    else if (!strcmp(name, "--form") && form_count < forms_max) forms[form_count++] = value;
    else if (!strcmp(name, "--body") && body_count < bodies_max) load_body(value);
    else if (!strcmp(name, "--rate")) rate = atof(value);
    else if (!strcmp(name, "--chain")) chained = atoi(value);
    else if (!strcmp(name, "--say")) wanted_text = value;
    else if (!strcmp(name, "--connections")) connection_count = atoi(value);
    else if (!strcmp(name, "--requests")) request_limit = atoll(value);
    else if (!strcmp(name, "--seconds")) second_limit = atof(value);
    else if (!strcmp(name, "--expect")) expected = atoll(value);
    else if (!strcmp(name, "--range-size")) range_size = atoll(value);
    else if (!strcmp(name, "--range-of")) range_of = atoll(value);
    else if (!strcmp(name, "--range-first")) range_fixed = atoll(value);
    else if (!strcmp(name, "--positions")) positions = atoll(value);
    else if (!strcmp(name, "--seed")) state ^= (uint64_t)atoll(value) * 0x9e3779b97f4a7c15ull;
    else if (!strcmp(name, "--pace")) pace = atoll(value);
    else fail("unknown argument", name);
  }
  // Ids that were sent before are passed over by whoever keeps events.
  if (body_count > 0 && getrandom(&state, sizeof state, 0) != sizeof state) fail("no random numbers", "");
  if (port == 0 || path_count == 0) fail("needs --port and --path", "");
}

int main(int argc, char **argv) {
  read_arguments(argc, argv);
  struct connection *all = calloc((size_t)connection_count, sizeof *all);
  sink = malloc(buffer_size);
  epoll = epoll_create1(EPOLL_CLOEXEC);
  for (int i = 0; i < connection_count; i++) connect_to_server(&all[i]);
  for (int i = 0; i < connection_count && form_count > 0; i++) {
    if (strlen(forms[i % form_count]) >= form_max) fail("a form that is too long", "");
    strcpy(all[i].form, forms[i % form_count]);
  }
  began = now();
  for (int i = 0; i < connection_count && rate == 0; i++) ask(&all[i]);
  if (rate > 0) run_steadily(all);
  else if (pace > 0) run_paced(all);
  else run_free();
  double seconds = now() - began;
  struct rusage used;
  getrusage(RUSAGE_SELF, &used);
  double cpu = (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) + (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e6;
  printf("{\"bytes\":%lld,\"requests\":%lld,\"seconds\":%.6f,\"cpuSeconds\":%.3f", (long long)body_bytes, (long long)finished, seconds, cpu);
  print_latencies("firstByte", &first_bytes);
  print_latencies("total", &totals);
  puts("}");
  return 0;
}
