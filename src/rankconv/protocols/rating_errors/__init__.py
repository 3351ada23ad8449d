"""How far predicted ratings are from the given ones: RMSE and MAE, which are no ranking metrics."""
