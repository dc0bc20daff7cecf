/**
 * How a program of one language reports its errors: the SDK with its version, and a program that
 * sends one error.
 */
export interface SdkSample {
  readonly language: string;
  readonly version: string;
  /** The newest known version, which was tested with this service too. */
  readonly newest: string;
  /** The kinds of items that the SDK reports. */
  readonly items: string;
  readonly install: string;
  readonly program: string;
}

const inDouble = (dsn: string): string => JSON.stringify(dsn);
const inSingle = (dsn: string): string => `'${dsn.replaceAll(/['\\]/g, String.raw`\$&`)}'`;

const exceptions = 'exceptions and messages';
const withSessions = 'exceptions, messages and sessions';

/** The seven SDKs that are tested against this service, each with this DSN. */
export function sdkSamples(dsn: string): readonly SdkSample[] {
  return [
    {
      language: 'Go',
      version: '0.20.0',
      newest: '0.50.0',
      items: exceptions,
      install: 'go get github.com/getsentry/sentry-go@v0.20.0',
      program: `package main

import (
	"errors"
	"log"
	"time"

	"github.com/getsentry/sentry-go"
)

func main() {
	if err := sentry.Init(sentry.ClientOptions{Dsn: ${inDouble(dsn)}}); err != nil {
		log.Fatal(err)
	}
	// Events leave in the background: wait for them before the program ends.
	defer sentry.Flush(2 * time.Second)

	sentry.CaptureException(errors.New("the first error"))
}`,
    },
    {
      language: 'Java',
      version: '6.18.1',
      newest: '8.62.0',
      items: exceptions,
      install: `dependencies {
    implementation("io.sentry:sentry:6.18.1")
}`,
      program: `import io.sentry.Sentry;

public class Main {
  public static void main(String[] args) {
    Sentry.init(options -> options.setDsn(${inDouble(dsn)}));
    try {
      throw new IllegalStateException("the first error");
    } catch (IllegalStateException error) {
      Sentry.captureException(error);
    }
    // Waits for what has not left yet.
    Sentry.close();
  }
}`,
    },
    {
      language: 'NodeJS',
      version: '7.38.0',
      newest: '11.12.0',
      items: exceptions,
      install: 'npm install @sentry/node@7.38.0',
      program: `const Sentry = require('@sentry/node');

Sentry.init({ dsn: ${inSingle(dsn)} });

Sentry.captureException(new Error('the first error'));`,
    },
    {
      language: 'PHP',
      version: '3.18.0',
      newest: '4.29.0',
      items: exceptions,
      install: 'composer require sentry/sentry:3.18.0 "sentry/sdk:^3"',
      program: `<?php
require 'vendor/autoload.php';

\\Sentry\\init(['dsn' => ${inSingle(dsn)}]);

\\Sentry\\captureException(new \\Exception('the first error'));`,
    },
    {
      language: 'Python',
      version: '1.21.0',
      newest: '2.75.0',
      items: withSessions,
      install: 'pip install sentry-sdk==1.21.0',
      program: `import sentry_sdk

sentry_sdk.init(dsn=${inDouble(dsn)})

sentry_sdk.capture_exception(RuntimeError("the first error"))`,
    },
    {
      language: 'Ruby',
      version: '5.9.0',
      newest: '6.6.2',
      items: exceptions,
      install: 'gem install sentry-ruby -v 5.9.0',
      program: `require 'sentry-ruby'

Sentry.init do |config|
  config.dsn = ${inSingle(dsn)}
  # Sends at once, so that a short program loses nothing at its end.
  config.background_worker_threads = 0
end

Sentry.capture_exception(RuntimeError.new('the first error'))`,
    },
    {
      language: 'Rust',
      version: '0.31.0',
      newest: '0.49.5',
      items: withSessions,
      install: 'cargo add sentry@=0.31.0',
      program: `fn main() {
    let mut options = sentry::ClientOptions::default();
    options.release = sentry::release_name!();
    // Sends what is left when it goes out of scope, at the end of main.
    let _guard = sentry::init((${inDouble(dsn)}, options));

    let error = "the first error".parse::<u32>().unwrap_err();
    sentry::capture_error(&error);
}`,
    },
  ];
}
