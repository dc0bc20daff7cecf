module example.com/benchport/sentry-clients

go 1.19

require (
	github.com/getsentry/raven-go v0.2.0
	github.com/getsentry/sentry-go v0.20.0
)

require (
	github.com/certifi/gocertifi v0.0.0-20210507211836-431795d63e8d // indirect
	github.com/pkg/errors v0.9.1 // indirect
	golang.org/x/sys v0.6.0 // indirect
	golang.org/x/text v0.8.0 // indirect
)
