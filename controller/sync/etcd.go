package sync

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/idumb-dev/idumb/controller/leases"
	"github.com/idumb-dev/idumb/controller/planvisibility"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/controller/sync/engine/progengine"
	"github.com/idumb-dev/idumb/controller/sync/exchange"
	"github.com/idumb-dev/idumb/controller/trust"
	"github.com/idumb-dev/idumb/resources"
)

// etcdProgram is the name of the program that communicates with etcd. It is
// started when first needed.
const etcdProgram = "idumb-sync"

// seenFile records the last seen etcd cluster and revision. cloneFile records
// the name of a clone without settings, as on a build server. Both are in the
// clone's sync directory.
const (
	seenFile  = "etcd.json"
	cloneFile = "clone"
)

// Values of spec.sync.offlineStart: whether a task may be started while the
// remote is unreachable.
const (
	offlineAllow = "allow"
	offlineDeny  = "deny"
)

// Bounds of the time after which a claim expires without renewal.
const (
	shortestTTL = 30 * time.Second
	longestTTL  = 24 * time.Hour
)

// Environment variables that configure etcd on a build server, instead of the
// user's settings.
const (
	envPrefix = "IDUMB_SYNC_"
	envURL    = envPrefix + "URL" // comma-separated addresses
	envCert   = envPrefix + "CERT"
	envKey    = envPrefix + "KEY"
	envCA     = envPrefix + "CA"
)

// Server holds the connection parameters of etcd. They come from the user's
// settings only: a repository that names a server could redirect plans to it.
type Server struct {
	Endpoints []string `json:"endpoints"`      // https://HOST:2379
	Cert      string   `json:"cert,omitempty"` // client certificate and key files
	Key       string   `json:"key,omitempty"`
	CA        string   `json:"ca,omitempty"` // CA file for the server certificate
}

// ServerOf returns the user's connection parameters for etcd. The error says
// how to configure them.
func ServerOf(root layout.Root, getenv func(string) string) (Server, error) {
	if s := fromEnvironment(root, getenv); s != nil {
		return *s, nil
	}
	file, _ := planvisibility.SettingsPlace(root, getenv)
	if file == "" {
		return Server{}, errors.New("sync needs a git repository, and a folder of your own settings outside of it: set HOME or XDG_CONFIG_HOME")
	}
	all, err := read(file)
	if err != nil {
		return Server{}, err
	}
	if all.Etcd == nil || len(all.Etcd.Endpoints) == 0 {
		return Server{}, fmt.Errorf(`%s names no etcd; write {"etcd": {"endpoints": ["https://HOST:2379"], "cert": FILE, "key": FILE, "ca": FILE}} into it`, file)
	}
	info, err := os.Stat(file)
	if err == nil && runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		return Server{}, fmt.Errorf("other users of this machine can read %s, which contains your connection settings; run chmod 600 %[1]s", file)
	}
	return *all.Etcd, err
}

// fromEnvironment returns the connection parameters from the environment. It
// returns nil if there are none or if the repository may have set them.
func fromEnvironment(root layout.Root, getenv func(string) string) *Server {
	url := getenv(envURL)
	if url == "" || trust.SetByRepository(root, envPrefix) {
		return nil
	}
	return &Server{Endpoints: strings.Split(url, ","), Cert: getenv(envCert), Key: getenv(envKey), CA: getenv(envCA)}
}

// byEnvironment returns the settings of a clone without user settings, on a
// build server. The environment names the etcd, and the repository its prefix.
// It returns nil if either is missing.
func byEnvironment(root layout.Root, getenv func(string) string) *Settings {
	if fromEnvironment(root, getenv) == nil {
		return nil
	}
	agreed := sharedConfig(root)
	if agreed.Engine != EngineEtcd || agreed.Team == "" || agreed.Repo == "" {
		return nil
	}
	return &Settings{Engine: EngineEtcd, Team: agreed.Team, Repo: agreed.Repo}
}

// sharedConfig returns the sync settings in the repository's config. They do not
// name a server.
func sharedConfig(root layout.Root) resources.SyncConfig {
	key := resources.Key{Kind: resources.Configs, Name: resources.ConfigName}
	config, _ := root.Object(key, root.Locate(key)).(*resources.Config)
	return resources.EffectiveConfig(config).Sync
}

// Agreed returns the sync settings in the repository's config.
func Agreed(root layout.Root) resources.SyncConfig { return sharedConfig(root) }

// openEtcd opens the team of a clone whose engine is etcd. The server comes from the user's
// settings or the environment, never from the repository.
func openEtcd(root layout.Root, getenv func(string) string, s Settings, agreed resources.SyncConfig, dir string) (*Team, error) {
	server, err := ServerOf(root, getenv)
	if err != nil {
		return nil, err
	}
	if s.Clone == "" {
		if s.Clone, err = nameOf(dir); err != nil {
			return nil, err
		}
	}
	place := progengine.Place{
		Endpoints: server.Endpoints, Cert: server.Cert, Key: server.Key, CA: server.CA,
		Team: s.Team, Repo: s.Repo, Record: filepath.Join(dir, seenFile),
	}
	t := New(leases.Open(root), progengine.New(place, progengine.Program(etcdProgram)), s.Clone, dir)
	t.ttl = min(max(resources.Duration(agreed.ClaimTTL, resources.DefaultClaimTTL), shortestTTL), longestTTL)
	t.requireClaim = agreed.OfflineStart != offlineAllow
	t.settingsID = fmt.Sprintf("%+v %+v %+v", s, agreed, place)
	t.root, t.plans, t.maxObjects = root, s.Plans, agreed.MaxObjects
	t.settingsID += t.subscribe(agreed.Subscribe)
	return t, nil
}

// nameOf returns the name of a clone without settings. It generates the name on
// the first call.
func nameOf(dir string) (string, error) {
	file := filepath.Join(dir, cloneFile)
	if name, err := os.ReadFile(file); err == nil && len(name) > 0 {
		return strings.TrimSpace(string(name)), nil
	}
	name := uuid.NewString()
	return name, exchange.Replace(file, []byte(name+"\n"))
}

// Join accepts the current etcd, even if the clone used a different one before.
// It must be called when a user enables sync.
func Join(root layout.Root) error {
	dir := Folder(layout.CommonDir(layout.GitDir(string(root))))
	for _, file := range []string{seenFile, leaseFile} {
		if err := os.Remove(filepath.Join(dir, file)); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	return nil
}
