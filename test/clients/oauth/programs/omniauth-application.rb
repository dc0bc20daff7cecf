# A small web application that signs its visitors in with omniauth-gitlab 4.1, served by Puma. Reads its configuration as lines of JSON, because it has to
# listen before it can be registered: the first answer is its address, the second line its client id.
require 'json'
require 'net/http'
require 'digest'
require 'omniauth-gitlab'
require 'puma'
require 'rack'

# The visitor begins with a link here, not with a form.
OmniAuth.config.allowed_request_methods = %i[get]
OmniAuth.config.silence_get_warning = true
OmniAuth.config.logger = Logger.new($stderr, level: Logger::WARN)

wish = nil
server = nil
page = lambda do |env|
  came = env['omniauth.auth'] or return [404, { 'content-type' => 'text/plain' }, [env['rack.request.query_string'].to_s]]
  fetched = Net::HTTP.get(URI(wish['download']), { 'Authorization' => "Bearer #{came.credentials.token}" })
  renewed = OAuth2::AccessToken.from_hash(env['omniauth.strategy'].client, 'refresh_token' => came.credentials.refresh_token).refresh!
  found = {
    username: came.info.username, name: came.info.name, email: came.info.email, expires: came.credentials.expires,
    download: Digest::SHA256.hexdigest(fetched),
    refreshed: renewed.token != came.credentials.token && renewed.get('api/v4/user').parsed['username'] == came.info.username
  }
  [200, { 'content-type' => 'application/json' }, [JSON.generate(found)]]
end
application = lambda do |env|
  @stack ||= Rack::Builder.new do
    use Rack::Session::Cookie, key: 'visitor', secret: 'a secret of this test only, which has to be a long one as Rack says. ' * 2
    use OmniAuth::Builder do
      provider :gitlab, wish['clientId'], wish['secret'], scope: wish['scope'], client_options: { site: wish['url'] }
    end
    run page
  end.to_app
  @stack.call(env)
end

server = Puma::Server.new(application, Puma::Events.strings, min_threads: 1, max_threads: 2)
port = server.add_tcp_listener('127.0.0.1', 0).addr[1]
puts JSON.generate('url' => "http://127.0.0.1:#{port}")
$stdout.flush
wish = JSON.parse($stdin.gets)
server.run
puts JSON.generate('ready' => true)
$stdout.flush
$stdin.read
server.stop(true)
