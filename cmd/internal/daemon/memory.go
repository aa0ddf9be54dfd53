package daemon

import (
	"context"
	"os"
	"runtime/debug"

	"github.com/idumb-dev/idumb/controller"
	"github.com/idumb-dev/idumb/controller/store/filestore"
	"github.com/idumb-dev/idumb/resources"
)

// limitMemory applies the memory limit of the settings, unless the environment sets GOMEMLIMIT.
func limitMemory(settings *resources.ConfigSpec) {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(int64(settings.Controller.MemoryMB) << 20)
	}
}

// memoryChange applies a change of the settings.
func memoryChange(c controller.Change) {
	if c.Key == configKey {
		config, _ := c.New.(*resources.Config)
		limitMemory(resources.EffectiveConfig(config))
	}
}

// settings returns the effective settings when the controller starts. It returns the defaults if
// config.json cannot be read.
func settings(ctx context.Context, s *filestore.Store) *resources.ConfigSpec {
	var config *resources.Config
	if record, err := s.Get(ctx, configKey); err == nil {
		if object, _, err := resources.Read(configKey, record.Spec); err == nil {
			config, _ = object.(*resources.Config)
		}
	}
	return resources.EffectiveConfig(config)
}
