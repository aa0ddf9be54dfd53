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
	"github.com/idumb-dev/idumb/controller/planned"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/controller/sync/engine/progengine"
	"github.com/idumb-dev/idumb/controller/sync/plans"
	"github.com/idumb-dev/idumb/controller/trust"
	"github.com/idumb-dev/idumb/resources"
)

// etcdProgram is the program that speaks with an etcd. It is started when that is first needed.
const etcdProgram = "idumb-sync"

// seenFile holds, among a clone's notes, which etcd it met last and how far that was; cloneFile the
// name of a clone that no person's settings know, as on a build server.
const (
	seenFile  = "etcd.json"
	cloneFile = "clone"
)

// offlineDeny is what spec.sync.offlineStart says where no task is started without the team, and
// offlineAllow where one is.
const (
	offlineAllow = "allow"
	offlineDeny  = "deny"
)

// How long a claim may stand that is not heard of.
const (
	shortestTTL = 30 * time.Second
	longestTTL  = 24 * time.Hour
)

// What names the etcd on a build server, in place of a person's settings.
const (
	envPrefix = "IDUMB_SYNC_"
	envURL    = envPrefix + "URL" // addresses, with commas between them
	envCert   = envPrefix + "CERT"
	envKey    = envPrefix + "KEY"
	envCA     = envPrefix + "CA"
)

// Server is how a person reaches an etcd. It stands in their own settings alone: a repository that
// names a server would have plans sent there.
type Server struct {
	Endpoints []string `json:"endpoints"`      // https://HOST:2379
	Cert      string   `json:"cert,omitempty"` // files: who the person is, to the etcd
	Key       string   `json:"key,omitempty"`
	CA        string   `json:"ca,omitempty"` // against which the etcd's certificate is held
}

// ServerOf is how this person reaches their etcd, for a repository; an error says how to name it.
func ServerOf(root layout.Root, getenv func(string) string) (Server, error) {
	if s := fromEnvironment(root, getenv); s != nil {
		return *s, nil
	}
	file, _ := planned.Place(root, getenv)
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
		return Server{}, fmt.Errorf("others on this machine may read %s, which says how you reach your team; chmod 600 it", file)
	}
	return *all.Etcd, err
}

// fromEnvironment is the etcd that the environment names; nil for none, and for one that the
// repository itself may have put there.
func fromEnvironment(root layout.Root, getenv func(string) string) *Server {
	url := getenv(envURL)
	if url == "" || trust.Brought(root, envPrefix) {
		return nil
	}
	return &Server{Endpoints: strings.Split(url, ","), Cert: getenv(envCert), Key: getenv(envKey), CA: getenv(envCA)}
}

// byEnvironment are the settings of a clone that no person has any for, on a build server: the
// environment names the etcd, and the repository its own place in the team. Nil for none.
func byEnvironment(root layout.Root, getenv func(string) string) *Settings {
	if fromEnvironment(root, getenv) == nil {
		return nil
	}
	agreed := agreedIn(root)
	if agreed.Engine != EngineEtcd || agreed.Team == "" || agreed.Repo == "" {
		return nil
	}
	return &Settings{Engine: EngineEtcd, Team: agreed.Team, Repo: agreed.Repo}
}

// agreedIn is what the team agreed on, in the repository's config. It names no server.
func agreedIn(root layout.Root) resources.SyncConfig {
	key := resources.Key{Kind: resources.Configs, Name: resources.ConfigName}
	config, _ := root.Object(key, root.Locate(key)).(*resources.Config)
	return resources.EffectiveConfig(config).Sync
}

// Agreed is what the repository's config says of sync, for whoever enables it.
func Agreed(root layout.Root) resources.SyncConfig { return agreedIn(root) }

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
	t.strict = agreed.OfflineStart != offlineAllow
	t.what = fmt.Sprintf("%+v %+v %+v", s, agreed, place)
	t.root, t.plans, t.most = root, s.Plans, agreed.MaxObjects
	t.what += t.subscribe(agreed.Subscribe)
	return t, nil
}

// nameOf is the name of a clone that no settings name, made when it is first asked for.
func nameOf(dir string) (string, error) {
	file := filepath.Join(dir, cloneFile)
	if name, err := os.ReadFile(file); err == nil && len(name) > 0 {
		return strings.TrimSpace(string(name)), nil
	}
	name := uuid.NewString()
	return name, plans.Replace(file, []byte(name+"\n"))
}

// Join agrees to meet the etcd that is there, whichever a clone met before: to be called where a
// person enables sync.
func Join(root layout.Root) error {
	dir := Folder(layout.CommonDir(layout.GitDir(string(root))))
	for _, file := range []string{seenFile, leaseFile} {
		if err := os.Remove(filepath.Join(dir, file)); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	return nil
}
