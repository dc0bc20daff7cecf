# Sends an error with its cause and a message through sentry-raven, the SDK before sentry-ruby.
require 'sentry_raven_without_integrations'

def open_device
  raise IOError, 'port 7 does not answer'
end

def read_measurement
  open_device
rescue IOError
  raise ArgumentError, 'measurement QX-7 was not read'
end

Raven.configure do |config|
  config.dsn = ENV.fetch('SENTRY_DSN')
  config.release = 'bench@1.4.0'
  config.current_environment = 'lab-3'
  config.silence_ready = true
end
Raven.user_context(id: '7', username: 'alice', email: 'alice@example.com')
Raven.tags_context(instrument: 'spectrometer-2')
Raven.breadcrumbs.record(category: 'bench', message: 'shutter opened', level: 'info', data: { position: 3 })
begin
  read_measurement
rescue ArgumentError => e
  Raven.capture_exception(e)
end
Raven.capture_message('calibration is 3 days old', level: 'warning')
