"""What every service shares: settings, logs, gRPC server, health, tokens, metrics, shutdown."""
