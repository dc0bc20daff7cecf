// Sends an error with its cause and a message through raven-go, which continuous integration runners report with.
package main

import (
	"log"
	"os"

	"github.com/getsentry/raven-go"
	"github.com/pkg/errors"
)

func openDevice() error { return errors.New("port 7 does not answer") }

func readMeasurement() error { return errors.Wrap(openDevice(), "measurement QX-7 was not read") }

func main() {
	client, err := raven.New(os.Getenv("SENTRY_DSN"))
	if err != nil {
		log.Fatal(err)
	}
	client.SetRelease("bench@1.4.0")
	client.SetEnvironment("lab-3")
	user := &raven.User{ID: "7", Username: "alice", Email: "alice@example.com"}
	client.SetUserContext(user)
	tags := map[string]string{"instrument": "spectrometer-2"}
	client.CaptureErrorAndWait(readMeasurement(), tags)
	// The context is added to errors only.
	packet := raven.NewPacket("calibration is 3 days old", user)
	packet.Level = raven.WARNING
	if _, failed := client.Capture(packet, tags); <-failed != nil {
		log.Fatal("the message was not sent")
	}
}
