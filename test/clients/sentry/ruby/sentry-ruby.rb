# Sends an error with its cause and a message through sentry-ruby.
require 'sentry-ruby'

def open_device
  raise IOError, 'port 7 does not answer'
end

def read_measurement
  open_device
rescue IOError
  raise ArgumentError, 'measurement QX-7 was not read'
end

Sentry.init do |config|
  config.release = 'bench@1.4.0'
  config.environment = 'lab-3'
  # Sends before it returns.
  config.background_worker_threads = 0
end
Sentry.set_user(id: '7', username: 'alice', email: 'alice@example.com')
Sentry.set_tags(instrument: 'spectrometer-2')
Sentry.add_breadcrumb(Sentry::Breadcrumb.new(category: 'bench', message: 'shutter opened', level: 'info', data: { position: 3 }))
begin
  read_measurement
rescue ArgumentError => e
  Sentry.capture_exception(e)
end
Sentry.with_scope do |scope|
  scope.set_level(:warning)
  Sentry.capture_message('calibration is 3 days old')
end
