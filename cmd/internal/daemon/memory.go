package daemon

import (
	"context"
	"os"
	"runtime/debug"

	"github.com/idumb-dev/idumb/controller"
	"github.com/idumb-dev/idumb/controller/store/filestore"
	"github.com/idumb-dev/idumb/resources"
)

// limitMemory lets the process take as much memory as the settings say. What the environment
// says counts more, and the runtime has read it.
func limitMemory(settings *resources.ConfigSpec) {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(int64(settings.Controller.MemoryMB) << 20)
	}
}

// memoryChange follows a change of the settings.
func memoryChange(c controller.Change) {
	if c.Key == configKey {
		config, _ := c.New.(*resources.Config)
		limitMemory(resources.EffectiveConfig(config))
	}
}

// settings are what config.json says over the defaults, as it is when the controller starts; the
// defaults where it cannot be read.
func settings(ctx context.Context, s *filestore.Store) *resources.ConfigSpec {
	var config *resources.Config
	if record, err := s.Get(ctx, configKey); err == nil {
		if object, _, err := resources.Read(configKey, record.Spec); err == nil {
			config, _ = object.(*resources.Config)
		}
	}
	return resources.EffectiveConfig(config)
}
