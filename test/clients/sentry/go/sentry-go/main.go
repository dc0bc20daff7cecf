// Sends an error with its cause and a message through sentry-go.
package main

import (
	"errors"
	"fmt"
	"log"
	"time"

	"github.com/getsentry/sentry-go"
)

type deviceError struct{ port int }

func (e *deviceError) Error() string { return fmt.Sprintf("port %d does not answer", e.port) }

type readError struct{ cause error }

func (e *readError) Error() string { return "measurement QX-7 was not read" }
func (e *readError) Unwrap() error { return e.cause }

//go:noinline
func openDevice() error { return &deviceError{7} }

//go:noinline
func readMeasurement() {
	err := openDevice()
	var device *deviceError
	if errors.As(err, &device) {
		sentry.CaptureException(&readError{err})
	}
}

func main() {
	if err := sentry.Init(sentry.ClientOptions{Release: "bench@1.4.0", Environment: "lab-3", AttachStacktrace: true}); err != nil {
		log.Fatal(err)
	}
	sentry.ConfigureScope(func(scope *sentry.Scope) {
		scope.SetUser(sentry.User{ID: "7", Username: "alice", Email: "alice@example.com"})
		scope.SetTag("instrument", "spectrometer-2")
	})
	sentry.AddBreadcrumb(&sentry.Breadcrumb{
		Category: "bench", Message: "shutter opened", Level: sentry.LevelInfo, Data: map[string]interface{}{"position": 3},
	})
	readMeasurement()
	sentry.WithScope(func(scope *sentry.Scope) {
		scope.SetLevel(sentry.LevelWarning)
		sentry.CaptureMessage("calibration is 3 days old")
	})
	if !sentry.Flush(10 * time.Second) {
		log.Fatal("not everything was sent")
	}
}
