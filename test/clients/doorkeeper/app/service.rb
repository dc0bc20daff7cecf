# Doorkeeper as GitLab sets it up, in the smallest Rails application that carries it: 64 hexadecimal digits, digests at rest, refresh tokens that end
# with the first use of their successor, PKCE, the password grant without a client. Reads what it shall know from standard input as JSON
# ({"users": [...], "applications": [...], "database": FILE}), prints one line of JSON when it listens, and ends with its standard input.
require 'json'
require 'logger'
require 'action_controller/railtie'
require 'active_record/railtie'
require 'doorkeeper'
require 'doorkeeper/openid_connect'
require 'puma'

WISH = JSON.parse($stdin.gets)
# One file, and (below) a journal that readers do not wait for.
ENV['RAILS_ENV'] = 'production'
ENV['DATABASE_URL'] = "sqlite3:#{WISH.fetch('database')}?pool=16"
SCOPES = %i[read_api read_user read_measurement write_measurement openid profile email].freeze

class User < ActiveRecord::Base; end

# As later releases of Rails do: write transactions take their lock at once, and whoever waits for it lets the other threads run. Without this, requests at
# the same time fail with "database is locked".
module PatientSqlite
  def begin_db_transaction
    log('BEGIN IMMEDIATE', nil) { @connection.transaction(:immediate) }
  end

  private

  def configure_connection
    super
    @connection.busy_handler do |tries|
      sleep(0.001)
      tries < 10_000
    end
  end
end
ActiveSupport.on_load(:active_record) do
  require 'active_record/connection_adapters/sqlite3_adapter'
  ActiveRecord::ConnectionAdapters::SQLite3Adapter.prepend(PatientSqlite)
end

class Service < Rails::Application
  config.load_defaults 6.1
  config.root = __dir__
  config.eager_load = true
  config.secret_key_base = SecureRandom.hex(64)
  config.logger = Logger.new($stderr)
  config.log_level = (WISH['log'] || 'unknown').to_sym
  config.consider_all_requests_local = false
  config.action_controller.allow_forgery_protection = false
  config.hosts.clear
end

Doorkeeper.configure do
  orm :active_record
  resource_owner_authenticator do
    User.find_by(username: request.headers['X-Signed-In']) || redirect_to("/users/sign_in?return_to=#{CGI.escape(request.fullpath)}")
  end
  resource_owner_from_credentials do |_routes|
    user = User.find_by(username: params[:username])
    user if user && !user.two_factor && user.password == params[:password]
  end
  access_token_expires_in 2.hours
  authorization_code_expires_in 10.minutes
  use_refresh_token
  hash_token_secrets
  hash_application_secrets
  default_generator_method :hex
  default_scopes :api
  optional_scopes(*SCOPES)
  enforce_configured_scopes
  force_ssl_in_redirect_uri false
  allow_blank_redirect_uri true
  grant_flows %w[authorization_code password]
  skip_client_authentication_for_password_grant true
  skip_authorization { |_owner, client| client.application.name == 'trusted' }
end

Doorkeeper::OpenidConnect.configure do
  issuer 'http://127.0.0.1'
  signing_key OpenSSL::PKey::RSA.new(2048).to_pem
  subject_types_supported [:public]
  resource_owner_from_access_token { |token| User.find_by(id: token.resource_owner_id) }
  auth_time_from_resource_owner { |_user| Time.now }
  subject { |user, _application| user.id }
  claims { normal_claim(:preferred_username, scope: :profile) { |user, _scopes, _token| user.username } }
end

class ApplicationController < ActionController::Base; end

# What an API behind Doorkeeper does with a token.
class UserController < ActionController::API
  before_action -> { doorkeeper_authorize! :api, :read_api, :read_user }

  def show
    render json: User.find(doorkeeper_token.resource_owner_id).slice(:id, :username)
  end
end

Service.initialize!
ActiveRecord::Base.connection.execute('PRAGMA journal_mode = WAL')
ActiveRecord::Base.connection.execute('PRAGMA synchronous = NORMAL')
ActiveRecord::Schema.verbose = false
ActiveRecord::Schema.define do
  create_table(:users) do |t|
    t.string :username, null: false
    t.string :password, null: false
    t.boolean :two_factor, null: false, default: false
  end
  create_table(:oauth_applications) do |t|
    t.string :name, null: false
    t.string :uid, null: false, index: { unique: true }
    t.string :secret, null: false
    t.text :redirect_uri
    t.string :scopes, null: false, default: ''
    t.boolean :confidential, null: false, default: true
    t.timestamps
  end
  create_table(:oauth_access_grants) do |t|
    t.references :resource_owner, null: false
    t.references :application, null: false
    t.string :token, null: false, index: { unique: true }
    t.integer :expires_in, null: false
    t.text :redirect_uri, null: false
    t.datetime :created_at, null: false
    t.datetime :revoked_at
    t.string :scopes, null: false, default: ''
    t.string :code_challenge
    t.string :code_challenge_method
  end
  create_table(:oauth_access_tokens) do |t|
    t.references :resource_owner
    t.references :application
    t.string :token, null: false, index: { unique: true }
    t.string :refresh_token, index: { unique: true }
    t.integer :expires_in
    t.datetime :revoked_at
    t.datetime :created_at, null: false
    t.string :scopes
    t.string :previous_refresh_token, null: false, default: ''
  end
  create_table(:oauth_openid_requests) do |t|
    t.references :access_grant, null: false
    t.string :nonce, null: false
  end
end

Service.routes.draw do
  use_doorkeeper
  use_doorkeeper_openid_connect
  get '/api/v4/user' => 'user#show'
end

WISH['users'].each { |user| User.create!(user) }
applications = WISH['applications'].to_h do |wish|
  application = Doorkeeper::Application.create!(wish)
  [application.name, { 'clientId' => application.uid, 'secret' => application.plaintext_secret }]
end
# Tokens to begin with, for whoever wants to measure only their use.
tokens = Array.new(WISH['tokens'] || 0) do
  application = Doorkeeper::Application.first
  token = Doorkeeper::AccessToken.create!(application: application, resource_owner_id: User.first.id, scopes: 'api', expires_in: 7200, use_refresh_token: true)
  { 'accessToken' => token.plaintext_token, 'refreshToken' => token.plaintext_refresh_token }
end

server = Puma::Server.new(Rack::ContentLength.new(Service), Puma::Events.strings, min_threads: 5, max_threads: 5)
port = server.add_tcp_listener('127.0.0.1', 0).addr[1]
server.run
puts JSON.generate('port' => port, 'applications' => applications, 'tokens' => tokens)
$stdout.flush
$stdin.read
server.stop(true)
